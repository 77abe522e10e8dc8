import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '../../src/client/client.ts'
import type { LiveEvent } from '../../src/contract/live/live.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { systemClock } from '../../src/core/time/time.ts'

/** Load on several nodes, and a client of the live feed that is cut off and comes back, at whichever node. */
export interface Trial {
  readonly urls: readonly string[]
  readonly authorization: string
  readonly project_id: string
  readonly seconds: number
  /** How often the client is cut off while the load runs. */
  readonly cuts: number
}

export interface Verdict {
  readonly calls: number
  readonly events: number
  readonly cuts: number
  readonly missed: readonly string[]
  readonly repeated: readonly string[]
  /** An end before its start. */
  readonly misordered: readonly string[]
  readonly slowestMs: number
}

export async function runTrial(trial: Trial): Promise<Verdict> {
  const { project_id, authorization } = trial
  const clients = trial.urls.map((url) => createClient({ url, authorization }))
  const stored = new Map<string, number>()
  const over = new AbortController()
  const restless = new Follower(clients, project_id, stored)
  // One that stays at each node: the others come back to a channel that is busy.
  const steady = clients.map((client) => new Follower([client], project_id, stored))
  const followers = [restless, ...steady]
  for (const follower of followers) await follower.begin()
  const until = performance.now() + trial.seconds * 1000
  const writing = Array.from({ length: 6 }, (_, n) =>
    writeUntil(until, { clients, project_id, stored, turn: n }),
  )
  const following = followers.map((follower) =>
    follower.run(over.signal, follower === restless ? (trial.seconds * 1000) / trial.cuts : 10 ** 8),
  )
  await Promise.all(writing)
  const expected = [...stored.keys()]
  const isWaiting = (): boolean => followers.some(({ seen }) => seen.size < expected.length)
  for (let waited = 0; waited < 30_000 && isWaiting(); waited += 50) await wait(50)
  // Whatever should not come has a second to do so.
  await wait(1_000)
  over.abort()
  await Promise.all(following)
  return {
    calls: expected.length / 2,
    events: [...restless.seen.values()].reduce((sum, n) => sum + n, 0),
    cuts: restless.cuts,
    missed: followers.flatMap(({ seen }) => expected.filter((name) => !seen.has(name))),
    repeated: followers.flatMap(({ seen }) =>
      [...seen].flatMap(([name, times]) => (times === 1 && stored.has(name) ? [] : [name])),
    ),
    misordered: followers.flatMap(({ misordered }) => misordered),
    slowestMs: Math.round(Math.max(...steady.map(({ slowestMs }) => slowestMs))),
  }
}

class Follower {
  readonly #clients: readonly Client[]
  readonly #request: { readonly entity: string; readonly project: string }
  readonly #stored: ReadonlyMap<string, number>
  #cursor: string | undefined
  /** How often each `start <id>` and `end <id>` was told. */
  readonly seen = new Map<string, number>()
  readonly misordered: string[] = []
  cuts = 0
  slowestMs = 0

  constructor(clients: readonly Client[], project_id: string, stored: ReadonlyMap<string, number>) {
    const [entity = '', project = ''] = project_id.split('/')
    this.#clients = clients
    this.#request = { entity, project }
    this.#stored = stored
  }

  #hear(event: LiveEvent): void {
    if (event.kind !== 'start' && event.kind !== 'end') return
    const name = `${event.kind} ${event.id}`
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1)
    if (event.kind === 'end' && !this.seen.has(`start ${event.id}`)) this.misordered.push(event.id)
    const acknowledged = this.#stored.get(name)
    if (acknowledged !== undefined)
      this.slowestMs = Math.max(this.slowestMs, performance.now() - acknowledged)
  }

  /** Cut off right after the first event: what comes next is told all the same. */
  async begin(): Promise<void> {
    for await (const { cursor } of await this.#clients[0]!.call('project_live', this.#request)) {
      this.#cursor = cursor
      return
    }
  }

  async run(over: AbortSignal, everyMs: number): Promise<void> {
    while (!over.aborted) {
      const cut = new AbortController()
      const timer = setTimeout(() => cut.abort(), everyMs * 2 * Math.random())
      const client = this.#clients[Math.floor(Math.random() * this.#clients.length)]!
      try {
        const request = { ...this.#request, cursor: this.#cursor }
        for await (const event of await client.call(
          'project_live',
          request,
          AbortSignal.any([cut.signal, over]),
        )) {
          // The connection may be gone in the middle of what has already arrived.
          if (cut.signal.aborted) break
          this.#cursor = event.cursor
          this.#hear(event)
        }
      } catch (error) {
        if (!cut.signal.aborted && !over.aborted) throw error
      }
      clearTimeout(timer)
      if (!over.aborted) this.cuts++
    }
  }
}

interface Writing {
  readonly clients: readonly Client[]
  readonly project_id: string
  /** `start <id>` and `end <id>` of all that was acknowledged, and when. */
  readonly stored: Map<string, number>
  readonly turn: number
}

/** Calls in every shape and order in which SDKs send them, many of them more than once and to several nodes. */
async function writeUntil(until: number, { clients, project_id, stored, turn }: Writing): Promise<void> {
  const any = (): Client => clients[Math.floor(Math.random() * clients.length)]!
  const [entity = '', project = ''] = project_id.split('/')
  for (let n = turn; performance.now() < until; n++) {
    const ids = Array.from({ length: 1 + ((n * 7) % 30) }, () =>
      n % 5 === 0 ? randomUUID() : uuidv7(systemClock()),
    )
    const time = new Date().toISOString()
    const start = (id: string) => ({ project_id, id, trace_id: id, op_name: 'live', started_at: time })
    const end = (id: string) => ({ project_id, id, ended_at: time, summary: RawJson.of({}) })
    const complete = (client: Client): Promise<unknown> =>
      client.call('calls_complete', {
        entity,
        project,
        batch: ids.map((id) => ({ ...start(id), ...end(id) })),
      })
    const starts = (client: Client): Promise<unknown> =>
      client.call('call_upsert_batch', {
        batch: ids.map((id) => ({ mode: 'start' as const, req: { start: start(id) } })),
      })
    const ends = (client: Client): Promise<unknown> =>
      client.call('call_upsert_batch', {
        batch: ids.map((id) => ({ mode: 'end' as const, req: { end: end(id) } })),
      })
    switch (n % 6) {
      case 0:
        await complete(any())
        break
      case 1:
        await Promise.all([complete(any()), complete(any()), complete(any())])
        break
      case 2:
        await starts(any())
        await ends(any())
        break
      case 3:
        await ends(any())
        await starts(any())
        await Promise.all([starts(any()), ends(any())])
        break
      case 4:
        await Promise.all([starts(any()), ends(any()), ends(any())])
        break
      default:
        await Promise.all([starts(any()), starts(any())])
        await Promise.all([complete(any()), ends(any())])
    }
    const now = performance.now()
    for (const id of ids) for (const kind of ['start', 'end']) stored.set(`${kind} ${id}`, now)
  }
}
