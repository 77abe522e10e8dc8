import { setTimeout as sleep } from 'node:timers/promises'
import { watchStolenTime } from '../stolen-time.ts'

/**
 * The sixth user of the storm: a write and a read, twice a second each, sent on time whether or not earlier ones have a
 * response. It is a process of its own, because in that of the abusers its requests would also wait for their work. Its
 * output is one line of JSON.
 */

interface Request {
  /** Time that the host took from this machine does not count. */
  readonly ms: number
  readonly path: string
  readonly at: string
}

export interface QuietRequests {
  readonly count: number
  /** 98 of 100 requests took no longer. */
  readonly p98Ms: number
  /** To find out what they waited for. */
  readonly slowest: readonly Request[]
  readonly errors: readonly string[]
}

const MAX_SLOWEST = 10

const [, , url = '', project_id = '', ms = ''] = process.argv
const headers = {
  authorization: process.env['QUIET_AUTHORIZATION'] ?? '',
  'content-type': 'application/json',
}
const requests: Request[] = []
const errors: string[] = []

async function send(path: string, body: unknown): Promise<void> {
  const at = new Date().toISOString()
  const startedMs = performance.now()
  const slowdown = watchStolenTime()
  try {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status !== 200) errors.push(`${path}: ${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    errors.push(`${path}: ${String(error)}`)
  }
  requests.push({ ms: Math.round((performance.now() - startedMs) / slowdown()), path, at })
}

const sent: Promise<void>[] = []
for (const until = performance.now() + Number(ms); performance.now() < until; await sleep(500)) {
  sent.push(send('/call/start', { start: { project_id, op_name: 'quiet' } }))
  sent.push(send('/call/read', { project_id, id: 'x' }))
}
await Promise.all(sent)
const slowestFirst = requests.toSorted((a, b) => b.ms - a.ms)
const result: QuietRequests = {
  count: requests.length,
  p98Ms: slowestFirst[Math.floor(requests.length * 0.02)]?.ms ?? 0,
  slowest: slowestFirst.slice(0, MAX_SLOWEST),
  errors,
}
console.log(JSON.stringify(result))
