import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startServerProcess } from '../server-process.ts'
import { PROJECT, type Side } from './api.ts'
import { readContents } from './contents.ts'
import { seed } from './seed.ts'

/**
 * `npm run test:import -- --calls 100000`: a whole project from one server to another with `heddle import weave`,
 * which is killed with `kill -9` on the way and run again. Afterwards both sides must hold the same, byte for byte.
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
const began = performance.now()
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)

interface Outcome {
  readonly copied: Record<string, number>
  readonly counts: Record<string, { from: number; to: number }>
  readonly digests: { equal: number; renamed: number }
  readonly problems: string[]
  readonly missing: string[]
}

const from = await startSide('from')
const to = await startSide('to')
try {
  const seeded = await seed(from.side, calls, rows)
  console.log(`import: the source has ${calls - 10} calls after ${seconds(began)} s`)

  const importBegan = performance.now()
  let killed = 0
  // Once in the middle of a big table, then among the calls.
  if (await runUntil('rows', rows / 2)) killed++
  for (let kill = 1; kill < kills; kill++) if (await runUntil('calls', (calls * kill) / kills)) killed++
  const outcome = await runToEnd()
  console.log(
    `import: ${killed} kills, ${seconds(importBegan)} s in all; the last run: ${JSON.stringify(outcome.copied)}`,
  )
  console.log(`import: counts ${JSON.stringify(outcome.counts)}, digests ${JSON.stringify(outcome.digests)}`)
  for (const problem of [...outcome.problems, ...outcome.missing]) console.log(`import: ${problem}`)

  const theirs = await readContents(from.side, seeded)
  const ours = await readContents(to.side, seeded)
  const different = [...theirs].filter(([name, hash]) => ours.get(name) !== hash).map(([name]) => name)
  const extra = [...ours.keys()].filter((name) => !theirs.has(name))
  for (const name of different.slice(0, 10)) console.log(`import: not equal: ${name}`)
  for (const name of extra.slice(0, 10)) console.log(`import: only at the target: ${name}`)

  // Once more with nothing left to do, and once without the journal: neither changes anything.
  const again = await runToEnd()
  const anew = await runToEnd(join(directory, 'another-journal'))
  const later = await readContents(to.side, seeded)
  const changed = [...later].filter(([name, hash]) => ours.get(name) !== hash).length + later.size - ours.size

  const failures =
    different.length +
    extra.length +
    changed +
    [outcome, again, anew].reduce((sum, each) => sum + each.problems.length + each.missing.length, 0) +
    outcome.digests.renamed +
    (killed === kills ? 0 : 1)
  console.log(
    `import: ${theirs.size} things compared, ${different.length} different, ${extra.length} extra, ${changed} changed by running it again, kills ${killed}, ${seconds(began)} s`,
  )
  console.log(`import: ${failures === 0 ? 1 : 0} passed, ${failures === 0 ? 0 : 1} failed`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  await from.stop()
  await to.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function startSide(name: string): Promise<{ side: Side; stop(): Promise<void> }> {
  const apiKey = `hd_${createHash('sha256').update(`${directory} ${name}`).digest('hex')}`
  const server = await startServerProcess({
    data: join(directory, name),
    adminPassword: apiKey.slice(0, 40),
    apiKey,
  })
  return { side: { url: server.url, key: apiKey }, stop: () => server.stop() }
}

function start(state = join(directory, 'journal')): ChildProcess {
  const words = ['import', 'weave', '--from', from.side.url, '--to', to.side.url, '--project', PROJECT]
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...words, '--state', state, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HEDDLE_IMPORT_FROM_KEY: from.side.key, HEDDLE_IMPORT_TO_KEY: to.side.key },
  })
}

/** `kill -9` as soon as so many are said to be copied; whether it came to that. */
async function runUntil(what: string, copied: number): Promise<boolean> {
  const child = start()
  const exited = once(child, 'exit')
  let isKilled = false
  for await (const line of createInterface({ input: child.stdout! })) {
    const { phase, done } = JSON.parse(line) as { phase?: string; done?: number }
    if (phase !== what || (done ?? 0) < copied || isKilled) continue
    isKilled = child.kill('SIGKILL')
    console.log(`import: killed after ${done} ${what}`)
  }
  await exited
  return isKilled
}

async function runToEnd(state?: string): Promise<Outcome> {
  const child = start(state)
  const exited = once(child, 'exit')
  let last = ''
  for await (const line of createInterface({ input: child.stdout! })) last = line
  await exited
  return JSON.parse(last) as Outcome
}
