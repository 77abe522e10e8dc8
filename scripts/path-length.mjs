import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'

/**
 * `npm run build && node scripts/path-length.mjs`: counts the lines of our code that one ingest request executes, by
 * V8's precise coverage. Blank lines, comments and lone brackets do not count. `--write` puts the result into
 * ARCHITECTURE.md. Fails above the length of the path in November 2026.
 */
const MAX_LINES = 1_785
const DIST = new URL('../dist/', import.meta.url)
const { startHeddle } = await import(new URL('app/heddle.js', DIST))
const { readSettings } = await import(new URL('app/settings.js', DIST))

const dataDirectory = mkdtempSync(join(tmpdir(), 'heddle-path-'))
const password = 'a password of this run'
const settings = readSettings({}, { port: 0, dataDirectory, initAdminPassword: password })
const heddle = await startHeddle(settings, pino({ level: 'silent' }))
const session = new Session()
session.connect()
for (const id of ['first', 'second']) await storeCall(id)
await heddle.deps.defaultPrices.ready()
await session.post('Profiler.enable')
// Immediately before: users, keys and quotas are then fresh, and their periodic refresh is not counted.
await storeCall('third')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
await storeCall('counted')
const { result } = await session.post('Profiler.takePreciseCoverage')
await heddle.stop()
rmSync(dataDirectory, { recursive: true })

const files = result
  .filter((script) => script.url.startsWith(DIST.href))
  .map((script) => ({ file: script.url.slice(DIST.href.length), lines: linesRun(script) }))
  .filter(({ lines }) => lines > 0)
  .toSorted((a, b) => b.lines - a.lines)
for (const { file, lines } of files) console.log(`${String(lines).padStart(5)} ${file}`)
const total = files.reduce((sum, { lines }) => sum + lines, 0)
console.log(`one ingest request: ${total} lines in ${files.length} files`)
if (process.argv.includes('--write')) writeToArchitecture()
process.exit(total < MAX_LINES ? 0 : 1)

/** Replaces the section between the markers: the total, and the lines by folder. */
function writeToArchitecture() {
  const path = new URL('../ARCHITECTURE.md', import.meta.url)
  const byFolder = new Map()
  for (const each of files) {
    const folder = `src/${each.file.slice(0, each.file.lastIndexOf('/'))}`
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), each])
  }
  const rows = [...byFolder]
    .map(([folder, members]) => ({
      folder,
      members,
      lines: members.reduce((sum, { lines }) => sum + lines, 0),
    }))
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ folder, members, lines }) => `| \`${folder}\` | ${members.length} | ${lines} |`)
  const section = [
    `One such request executes ${total} lines of our code in ${files.length} files, and two ClickHouse statements:`,
    '',
    '| folder | files | lines |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
  const text = readFileSync(path, 'utf8')
  const marked = /(<!-- path: [^>]*-->\n)[\s\S]*?(<!-- end of path -->)/
  writeFileSync(path, text.replace(marked, `$1\n${section}\n\n$2`))
}

async function storeCall(id) {
  const time = '2026-11-15T00:00:00.000001Z'
  const call = { project_id: 'admin/path', id, trace_id: id, op_name: 'op', started_at: time, ended_at: time }
  const response = await fetch(`${heddle.url}/v2/admin/path/calls/complete`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
    body: JSON.stringify({
      batch: [{ ...call, attributes: {}, inputs: { a: 1 }, output: 'b', summary: {} }],
    }),
  })
  if (!response.ok) throw new Error(await response.text())
}

function linesRun(script) {
  const source = readFileSync(fileURLToPath(script.url), 'utf8')
  const isRun = new Uint8Array(source.length)
  // Ranges nest: the innermost one comes last and counts. The module body ran at import, so it is skipped.
  const ranges = script.functions
    .flatMap((each) => (each.ranges[0].startOffset === 0 ? [] : each.ranges))
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges)
    isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  let lines = 0
  let offset = 0
  for (const line of source.split('\n')) {
    const text = line.trim()
    if (text !== '' && !/^(?:\/\/|\/\*|\*|[\])},;]+$)/.test(text)) lines += isRun[offset + line.indexOf(text)]
    offset += line.length + 1
  }
  return lines
}
