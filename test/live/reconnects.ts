import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '../../src/client/client.ts'
import type { LiveEvent } from '../../src/contract/live/live.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { systemClock } from '../../src/core/time/time.ts'

/** Settings of the live feed test: load on several nodes, and a client that disconnects and reconnects to any node. */
export interface LiveTest {
  readonly urls: readonly string[]
  readonly authorization: string
  readonly project_id: string
  readonly seconds: number
  /** Number of disconnects during the load. */
  readonly cuts: number
}

export interface LiveTestResult {
  readonly calls: number
  readonly events: number
  readonly cuts: number
  readonly missed: readonly string[]
  readonly repeated: readonly string[]
  /** Calls whose end arrived before their start. */
  readonly misordered: readonly string[]
  readonly slowestMs: number
}

export async function runLiveTest(test: LiveTest): Promise<LiveTestResult> {
  const { project_id, authorization } = test
  const clients = test.urls.map((url) => createClient({ url, authorization }))
  const stored = new Map<string, number>()
  const stop = new AbortController()
  const reconnecting = new Follower(clients, project_id, stored)
  // One follower stays connected to each node, so that reconnects meet a channel in use.
  const connected = clients.map((client) => new Follower([client], project_id, stored))
  const followers = [reconnecting, ...connected]
  for (const follower of followers) await follower.start()
  const until = performance.now() + test.seconds * 1000
  const writing = Array.from({ length: 6 }, (_, n) =>
    writeUntil(until, { clients, project_id, stored, firstNumber: n }),
  )
  const following = followers.map((follower) =>
    follower.run(stop.signal, follower === reconnecting ? (test.seconds * 1000) / test.cuts : 10 ** 8),
  )
  await Promise.all(writing)
  const expected = [...stored.keys()]
  const isWaiting = (): boolean => followers.some(({ seen }) => seen.size < expected.length)
  for (let waited = 0; waited < 30_000 && isWaiting(); waited += 50) await wait(50)
  // Allow a second for events that must not arrive.
  await wait(1_000)
  stop.abort()
  await Promise.all(following)
  return {
    calls: expected.length / 2,
    events: [...reconnecting.seen.values()].reduce((sum, n) => sum + n, 0),
    cuts: reconnecting.cuts,
    missed: followers.flatMap(({ seen }) => expected.filter((name) => !seen.has(name))),
    repeated: followers.flatMap(({ seen }) =>
      [...seen].flatMap(([name, times]) => (times === 1 && stored.has(name) ? [] : [name])),
    ),
    misordered: followers.flatMap(({ misordered }) => misordered),
    slowestMs: Math.round(Math.max(...connected.map(({ slowestMs }) => slowestMs))),
  }
}

class Follower {
  readonly #clients: readonly Client[]
  readonly #request: { readonly entity: string; readonly project: string }
  readonly #stored: ReadonlyMap<string, number>
  #cursor: string | undefined
  /** How often each `start <id>` and `end <id>` was received. */
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

  #receive(event: LiveEvent): void {
    if (event.kind !== 'start' && event.kind !== 'end') return
    const name = `${event.kind} ${event.id}`
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1)
    if (event.kind === 'end' && !this.seen.has(`start ${event.id}`)) this.misordered.push(event.id)
    const acknowledged = this.#stored.get(name)
    if (acknowledged !== undefined)
      this.slowestMs = Math.max(this.slowestMs, performance.now() - acknowledged)
  }

  /** Takes the cursor of the first event and disconnects. Later events must still be delivered. */
  async start(): Promise<void> {
    for await (const { cursor } of await this.#clients[0]!.call('project_live', this.#request)) {
      this.#cursor = cursor
      return
    }
  }

  async run(stop: AbortSignal, disconnectEveryMs: number): Promise<void> {
    while (!stop.aborted) {
      const disconnect = new AbortController()
      const timer = setTimeout(() => disconnect.abort(), disconnectEveryMs * 2 * Math.random())
      const client = this.#clients[Math.floor(Math.random() * this.#clients.length)]!
      try {
        const request = { ...this.#request, cursor: this.#cursor }
        for await (const event of await client.call(
          'project_live',
          request,
          AbortSignal.any([disconnect.signal, stop]),
        )) {
          // Simulates a connection lost between events that already arrived.
          if (disconnect.signal.aborted) break
          this.#cursor = event.cursor
          this.#receive(event)
        }
      } catch (error) {
        if (!disconnect.signal.aborted && !stop.aborted) throw error
      }
      clearTimeout(timer)
      if (!stop.aborted) this.cuts++
    }
  }
}

interface LoadOptions {
  readonly clients: readonly Client[]
  readonly project_id: string
  /** When each `start <id>` and `end <id>` was acknowledged. */
  readonly stored: Map<string, number>
  /** The writer's first sequence number, so that writers use different shapes. */
  readonly firstNumber: number
}

/** Writes calls in every shape and order that SDKs send, often repeatedly and to several nodes. */
async function writeUntil(
  until: number,
  { clients, project_id, stored, firstNumber }: LoadOptions,
): Promise<void> {
  const anyNode = (): Client => clients[Math.floor(Math.random() * clients.length)]!
  const [entity = '', project = ''] = project_id.split('/')
  for (let n = firstNumber; performance.now() < until; n++) {
    const ids = Array.from({ length: 1 + ((n * 7) % 30) }, () =>
      n % 5 === 0 ? randomUUID() : uuidv7(systemClock()),
    )
    const time = new Date().toISOString()
    const start = (id: string) => ({ project_id, id, trace_id: id, op_name: 'live', started_at: time })
    const end = (id: string) => ({ project_id, id, ended_at: time, summary: RawJson.fromValue({}) })
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
        await complete(anyNode())
        break
      case 1:
        await Promise.all([complete(anyNode()), complete(anyNode()), complete(anyNode())])
        break
      case 2:
        await starts(anyNode())
        await ends(anyNode())
        break
      case 3:
        await ends(anyNode())
        await starts(anyNode())
        await Promise.all([starts(anyNode()), ends(anyNode())])
        break
      case 4:
        await Promise.all([starts(anyNode()), ends(anyNode()), ends(anyNode())])
        break
      default:
        await Promise.all([starts(anyNode()), starts(anyNode())])
        await Promise.all([complete(anyNode()), ends(anyNode())])
    }
    const now = performance.now()
    for (const id of ids) for (const kind of ['start', 'end']) stored.set(`${kind} ${id}`, now)
  }
}
