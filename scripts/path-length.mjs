import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'

/**
 * `npm run build && npm run path-length`: counts the lines of our code that one ingest request executes, by V8's precise
 * coverage. Blank lines, comments and lone brackets do not count. Fails above MAX_LINES, which may only fall: it also fails
 * if the path has become shorter by more than MARGIN and the limit has not. `-- --write` puts the path into ARCHITECTURE.md.
 */
const MAX_LINES = 2_640
const MARGIN = 100
/** A line counts if each of these requests executes it: what a timer or a slow moment adds is not of the path. */
const RUNS = 10
const DIST = new URL('../dist/', import.meta.url)
const { startHeddle } = await import(new URL('app/heddle.js', DIST))
const { readSettings } = await import(new URL('app/settings.js', DIST))

const dataDirectory = mkdtempSync(join(tmpdir(), 'heddle-path-'))
const password = 'a password of this run'
const settings = readSettings({}, { port: 0, dataDirectory, initAdminPassword: password })
const heddle = await startHeddle(settings, pino({ level: 'silent' }))
// One connection, as SDKs keep theirs open.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const session = new Session()
session.connect()
for (const id of ['first', 'second']) await storeCall(id)
await heddle.deps.defaultPrices.ready()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const runs = []
for (let run = 0; run < RUNS; run++) {
  // Immediately before: users, keys and quotas are then fresh, and their periodic refresh is not counted.
  await storeCall(`before-${run}`)
  await session.post('Profiler.takePreciseCoverage')
  await storeCall(`counted-${run}`)
  // Resets the counters.
  runs.push(executedLines((await session.post('Profiler.takePreciseCoverage')).result))
}
agent.destroy()
await heddle.stop()
rmSync(dataDirectory, { recursive: true })

const files = linesOfAll(runs)
const total = files.reduce((sum, { lines }) => sum + lines, 0)
for (const { file, lines } of files) console.log(`${String(lines).padStart(5)} ${file}`)
console.log(`one ingest request: ${total} lines in ${files.length} files`)
if (process.argv.includes('--write')) writeToArchitecture()
const hasGrown = total > MAX_LINES
const hasShrunk = total < MAX_LINES - MARGIN
if (hasGrown) console.log(`more than ${MAX_LINES}: shorten the path of a write`)
if (hasShrunk) console.log(`MAX_LINES in scripts/path-length.mjs may only fall: lower it to ${total}`)
process.exit(hasGrown || hasShrunk ? 1 : 0)

/** The lines that each script of ours has executed, by their numbers. */
function executedLines(scripts) {
  return new Map(
    scripts
      .filter((script) => script.url.startsWith(DIST.href))
      .map((script) => [script.url.slice(DIST.href.length), linesRun(script)]),
  )
}

function linesOfAll([first, ...others]) {
  return [...first]
    .map(([file, lines]) => ({
      file,
      lines: lines.filter((line) => others.every((run) => run.get(file)?.includes(line))).length,
    }))
    .filter(({ lines }) => lines > 0)
    .toSorted((a, b) => b.lines - a.lines)
}

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
  const body = JSON.stringify({
    batch: [{ ...call, attributes: {}, inputs: { a: 1 }, output: 'b', summary: {} }],
  })
  const sent = request(`${heddle.url}/v2/admin/path/calls/complete`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Basic ${btoa(`admin:${password}`)}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  }).end(body)
  const [response] = await once(sent, 'response')
  const text = (await response.toArray()).join('')
  if (response.statusCode !== 200) throw new Error(text)
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
  const lines = []
  let offset = 0
  for (const [number, line] of source.split('\n').entries()) {
    const text = line.trim()
    const isCode = text !== '' && !/^(?:\/\/|\/\*|\*|[\])},;]+$)/.test(text)
    if (isCode && isRun[offset + line.indexOf(text)] === 1) lines.push(number)
    offset += line.length + 1
  }
  return lines
}
