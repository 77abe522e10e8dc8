import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { HEDDLE, startServerProcess } from '../server-process.ts'
import { PROJECT, type Server } from './api.ts'
import { readContents } from './contents.ts'
import { seed } from './seed.ts'

/**
 * Import test, `npm run test:import -- --calls 100000`: copies a whole project between two servers with
 * `heddle import weave`, which is killed with `kill -9` several times and restarted. Both servers must then hold the
 * same records, byte for byte.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    rows: { type: 'string', default: '2500' },
    kills: { type: 'string', default: '3' },
  },
})
const calls = Number(values.calls)
const rows = Number(values.rows)
const kills = Number(values.kills)

const directory = mkdtempSync(join(tmpdir(), 'heddle-import-'))
const startedMs = performance.now()
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)

interface ImportReport {
  readonly copied: Record<string, number>
  readonly counts: Record<string, { from: number; to: number }>
  readonly digests: { equal: number; renamed: number }
  readonly problems: string[]
  readonly missing: string[]
}

const source = await startServer('from')
const target = await startServer('to')
try {
  const seeded = await seed(source.server, calls, rows)
  console.log(`import: the source has ${calls - 10} calls after ${seconds(startedMs)} s`)

  const importStartedMs = performance.now()
  let killCount = 0
  // The first kill hits a large table, the others the calls.
  if (await runAndKill('rows', rows / 2)) killCount++
  for (let kill = 1; kill < kills; kill++) if (await runAndKill('calls', (calls * kill) / kills)) killCount++
  const report = await runToEnd()
  console.log(
    `import: ${killCount} kills, ${seconds(importStartedMs)} s in total; last run: ${JSON.stringify(report.copied)}`,
  )
  console.log(`import: counts ${JSON.stringify(report.counts)}, digests ${JSON.stringify(report.digests)}`)
  for (const problem of [...report.problems, ...report.missing]) console.log(`import: ${problem}`)

  const sourceContents = await readContents(source.server, seeded)
  const targetContents = await readContents(target.server, seeded)
  const different = [...sourceContents]
    .filter(([name, hash]) => targetContents.get(name) !== hash)
    .map(([name]) => name)
  const extra = [...targetContents.keys()].filter((name) => !sourceContents.has(name))
  for (const name of different.slice(0, 10)) console.log(`import: different: ${name}`)
  for (const name of extra.slice(0, 10)) console.log(`import: only in the target: ${name}`)

  // A repeated run and a run without the journal must not change anything.
  const again = await runToEnd()
  const fresh = await runToEnd(join(directory, 'another-journal'))
  const later = await readContents(target.server, seeded)
  const changed =
    [...later].filter(([name, hash]) => targetContents.get(name) !== hash).length +
    later.size -
    targetContents.size

  const failures =
    different.length +
    extra.length +
    changed +
    [report, again, fresh].reduce((sum, each) => sum + each.problems.length + each.missing.length, 0) +
    report.digests.renamed +
    (killCount === kills ? 0 : 1)
  console.log(
    `import: ${sourceContents.size} records compared, ${different.length} different, ${extra.length} extra, ${changed} changed by repeated runs, kills ${killCount}, ${seconds(startedMs)} s`,
  )
  console.log(`import: ${failures === 0 ? 1 : 0} passed, ${failures === 0 ? 0 : 1} failed`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  await source.stop()
  await target.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function startServer(name: string): Promise<{ server: Server; stop(): Promise<void> }> {
  const apiKey = `hd_${createHash('sha256').update(`${directory} ${name}`).digest('hex')}`
  const child = await startServerProcess({
    data: join(directory, name),
    adminPassword: apiKey.slice(0, 40),
    apiKey,
  })
  return { server: { url: child.url, key: apiKey }, stop: () => child.stop() }
}

function startImport(state = join(directory, 'journal')): ChildProcess {
  const args = [
    'import',
    'weave',
    '--from',
    source.server.url,
    '--to',
    target.server.url,
    '--project',
    PROJECT,
  ]
  const [command = '', ...main] = HEDDLE
  return spawn(command, [...main, ...args, '--state', state, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HEDDLE_IMPORT_FROM_KEY: source.server.key,
      HEDDLE_IMPORT_TO_KEY: target.server.key,
    },
  })
}

/** Runs the import and kills it with `kill -9` once `count` records of the phase are copied. Returns whether it was killed. */
async function runAndKill(targetPhase: string, count: number): Promise<boolean> {
  const child = startImport()
  const exited = once(child, 'exit')
  let isKilled = false
  child.stdout?.resume()
  for await (const line of createInterface({ input: child.stderr! })) {
    if (!line.startsWith('{')) {
      console.error(line)
      continue
    }
    const { phase, done } = JSON.parse(line) as { phase?: string; done?: number }
    if (phase !== targetPhase || (done ?? 0) < count || isKilled) continue
    isKilled = child.kill('SIGKILL')
    console.log(`import: killed after ${done} ${targetPhase}`)
  }
  await exited
  return isKilled
}

async function runToEnd(state?: string): Promise<ImportReport> {
  const child = startImport(state)
  const exited = once(child, 'exit')
  const report = text(child.stdout!)
  for await (const line of createInterface({ input: child.stderr! }))
    if (!line.startsWith('{')) console.error(line)
  await exited
  return JSON.parse(await report) as ImportReport
}
