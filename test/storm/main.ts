import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runProgram } from '../sdk/program.ts'
import { startServerProcess } from '../server-process.ts'
import { ABUSES, type User } from './abuse.ts'
import type { QuietRequests } from './quiet-user.ts'

/**
 * Storm test, `npm run stormtest -- --seconds 60`: five users abuse a built server in every way of abuse.ts, while a sixth
 * writes and reads. Then nothing may be held, memory must have levelled off, and the sixth user was never slower than its bound.
 *
 * The storm comes in rounds. Resident memory is that of the largest moment so far, because neither V8 nor malloc returns all that
 * they have freed: it grows until a round brings no larger moment. A leak grows with every round. Durations must be within their
 * bounds in two rounds: other work on the machine can delay one.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const stormMs = Number(values.seconds) * 1000

/** Of 98 in 100 requests, as in the audit of neighbours: a second, or four times as long as alone. */
const BOUND_MS = 1_000
const BOUND_FACTOR = 4
/**
 * Of all: the abusers use the same two processors, where the slowest of 240 requests took 0.7 to 1.8 s in 15 runs. What a
 * caller can block takes 5 s and longer.
 */
const WORST_FACTOR = 3
/** In one round, compared with the memory before it. */
const MAX_MEMORY_GROWTH = 0.2
const MIN_ROUNDS = 2
const MAX_ROUNDS = 4
const WARM_UP_MS = 15_000
const ABUSERS = 5
const CONCURRENT = 2

const data = await mkdtemp(join(tmpdir(), 'heddle-storm-'))
const adminKey = `hd_${randomBytes(24).toString('hex')}`
const server = await startServerProcess({
  data,
  adminPassword: randomBytes(16).toString('hex'),
  apiKey: adminKey,
  command: [process.execPath, 'dist/main.js'],
  environment: { HEDDLE_OTLP_GRPC_PORT: '0' },
})
const target = { url: server.url, grpcUrl: server.grpcUrl ?? '' }
const failures: string[] = []
const check = (isTrue: boolean, failure: string): void => {
  if (!isTrue) failures.push(failure)
}

try {
  const abusers = await Promise.all(Array.from({ length: ABUSERS }, (_, n) => createUser(`abuser${n}`)))
  const quiet = await createUser('quiet')
  await quietRequests(quiet, 3_000)
  const alone = await quietRequests(quiet, 3_000)
  await storm(abusers, WARM_UP_MS)
  await waitForNothing(20_000)
  await sleep(3_000)
  const memory = [memoryBytes()]
  const during: QuietRequests[] = []
  let attempts = 0
  let held = ''
  const limit = (bytes = 0): number => bytes * (1 + MAX_MEMORY_GROWTH)
  const hasGrown = (): boolean => (memory.at(-1) ?? 0) > limit(memory.at(-2))
  const boundMs = Math.max(BOUND_MS, BOUND_FACTOR * slowestMs(alone))
  const isSlow = (): boolean => p98Of(during) > boundMs || worstOf(during) > WORST_FACTOR * boundMs
  for (let round = 1; round <= MIN_ROUNDS || (round <= MAX_ROUNDS && (hasGrown() || isSlow())); round++) {
    const roundMs = stormMs / MIN_ROUNDS
    const [requests, count] = await Promise.all([quietRequests(quiet, roundMs), storm(abusers, roundMs)])
    during.push(requests)
    attempts += count
    held = await waitForNothing(30_000)
    if (held !== '') break
    memory.push(await memoryBack(limit(memory.at(-1)), 10_000))
  }
  const ready = await fetch(`${target.url}/readyz`)
  check(held === '', `still held: ${held}`)
  check(ready.status === 200, `/readyz is ${ready.status}: ${await ready.text()}`)
  check(!hasGrown(), `memory grows with every round: ${memory.map(mib).join(', ')} MiB`)
  const errors = during.flatMap((requests) => requests.errors)
  const worstMs = worstOf(during)
  check(errors.length === 0, `${errors.length} errors of the sixth user: ${errors[0]}`)
  const p98Ms = p98Of(during)
  check(
    p98Ms <= boundMs,
    `one in fifty requests of the sixth user took ${p98Ms} ms, the bound is ${boundMs} ms`,
  )
  check(
    worstMs <= WORST_FACTOR * boundMs,
    `the sixth user waited ${worstMs} ms, the bound is ${WORST_FACTOR * boundMs} ms`,
  )
  for (const { at, path, ms } of during.flatMap(({ slowest }) => slowest))
    if (ms > boundMs / 2) console.log(`${at} ${path}: ${ms} ms`)
  for (const failure of failures) console.log(`FAIL ${failure}`)
  console.log(
    `storm: ${attempts} attempts in ${memory.length - 1} rounds of ${stormMs / MIN_ROUNDS / 1000} s, held ${held === '' ? 0 : held}, memory ${memory.map(mib).join(', ')} MiB, ` +
      `sixth user ${during.reduce((sum, { count }) => sum + count, 0)} requests, one in fifty over ${p98Ms} ms, slowest ${worstMs} ms (alone ${slowestMs(alone)}), ${failures.length} failed`,
  )
} finally {
  await server.stop()
  await rm(data, { recursive: true, force: true })
}
process.exitCode = failures.length === 0 ? 0 : 1

async function api(path: string, body: unknown, authorization: string): Promise<Record<string, unknown>> {
  const response = await fetch(target.url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as Record<string, unknown>
}

/** The password serves once, to create a key: checking one takes 0.3 s. */
async function createUser(name: string): Promise<User> {
  const { password } = await api('/api/v1/users', { username: name }, basic('api', adminKey))
  const { key } = await api('/api/v1/keys', { name: 'storm' }, basic(name, String(password)))
  const authorization = basic('api', String(key))
  await api(
    '/call/start',
    { start: { project_id: `${name}/storm`, id: 'x', op_name: 'storm' } },
    authorization,
  )
  return { name, authorization }
}

function basic(username: string, secret: string): string {
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
}

/** Runs all abuses, round robin and a few at a time for each user; returns their number. */
async function storm(users: readonly User[], ms: number): Promise<number> {
  const until = performance.now() + ms
  const abuses = Object.values(ABUSES)
  let attempts = 0
  const abuse = async (user: User, first: number): Promise<void> => {
    for (let n = first; performance.now() < until; n++) {
      await abuses[n % abuses.length]?.(target, user)
      attempts++
    }
  }
  await Promise.all(
    users.flatMap((user, u) => Array.from({ length: CONCURRENT }, (_, n) => abuse(user, u * 3 + n * 7))),
  )
  return attempts
}

/** The requests of the sixth user, from a process of its own. */
async function quietRequests({ name, authorization }: User, ms: number): Promise<QuietRequests> {
  const program = fileURLToPath(new URL('quiet-user.ts', import.meta.url))
  const { code, output } = await runProgram(
    [process.execPath, '--import', 'tsx', program, target.url, `${name}/storm`, String(ms)],
    { env: { ...process.env, QUIET_AUTHORIZATION: authorization }, cwd: process.cwd(), isQuiet: true },
  )
  if (code !== 0) throw new Error(`the sixth user: exit code ${code}: ${output}`)
  return JSON.parse(output.slice(output.indexOf('{'))) as QuietRequests
}

function slowestMs({ slowest }: QuietRequests): number {
  return slowest[0]?.ms ?? 0
}

function worstOf(rounds: readonly QuietRequests[]): number {
  return inTwoRounds(rounds.map(slowestMs))
}

function p98Of(rounds: readonly QuietRequests[]): number {
  return inTwoRounds(rounds.map(({ p98Ms }) => p98Ms))
}

/** What two of the rounds did not exceed. */
function inTwoRounds(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[MIN_ROUNDS - 1] ?? 0
}

/** Waits until no request holds anything; returns what is held then, empty for nothing. */
async function waitForNothing(timeoutMs: number): Promise<string> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const text = await (await fetch(`${target.url}/metrics`)).text()
    // The request for the metrics is itself in progress.
    const held = [...text.matchAll(/^heddle_leases\{kind="(\w+)"\} (\d+)$/gm)]
      .map(([, kind = '', count]) => [kind, Number(count) - (kind === 'requests' ? 1 : 0)] as const)
      .filter(([, count]) => count !== 0)
    if (!text.includes('heddle_leases{')) return 'unknown: no metric heddle_leases'
    if (held.length === 0) return ''
    if (performance.now() > until) return held.map(([kind, count]) => `${count} ${kind}`).join(', ')
    await sleep(250)
  }
}

/** Resident memory of the server without its ClickHouse, which is another process. */
function memoryBytes(): number {
  const [, kib = '0'] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Waits until memory is below the limit: the collector of garbage runs when the server is idle. */
async function memoryBack(limitBytes: number, timeoutMs: number): Promise<number> {
  const until = performance.now() + timeoutMs
  while (memoryBytes() > limitBytes && performance.now() < until) await sleep(500)
  return memoryBytes()
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
