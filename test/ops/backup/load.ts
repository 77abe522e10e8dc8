import { randomUUID } from 'node:crypto'
import { PROJECT, send, type Server } from '../../import/api.ts'

/** Writes calls without a pause until it is stopped, and knows which of them were acknowledged. */
export class CallLoad {
  /** Ids of calls whose last record was acknowledged. */
  readonly acknowledged = new Set<string>()
  readonly #server: Server
  #isStopped = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  start(): void {
    this.#running = Promise.all([this.#writeComplete(), this.#writeApart(), this.#writeComplete()])
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #writeComplete(): Promise<void> {
    while (!this.#isStopped) {
      const batch = Array.from({ length: 40 }, newCall).map(({ start, end }) => ({ ...start, ...end }))
      await send(this.#server, `/v2/${PROJECT}/calls/complete`, JSON.stringify({ batch }))
      for (const { id } of batch) this.acknowledged.add(id)
    }
  }

  /** Starts and ends in different requests; half of the ends come first, which needs the slow path of ingest. */
  async #writeApart(): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const calls = Array.from({ length: 10 }, newCall)
      const starts = calls.map(({ start }) => ({ mode: 'start', req: { start } }))
      const ends = calls.map(({ end }) => ({ mode: 'end', req: { end } }))
      for (const batch of round % 2 === 0 ? [starts, ends] : [ends, starts])
        await send(this.#server, '/call/upsert_batch', JSON.stringify({ batch }))
      for (const { start } of calls) this.acknowledged.add(start.id)
    }
  }
}

function newCall() {
  const id = randomUUID()
  const at = Date.now()
  const start = {
    project_id: PROJECT,
    id,
    trace_id: id,
    op_name: 'load',
    started_at: new Date(at).toISOString(),
    attributes: {},
    inputs: { text: `question ${id}` },
  }
  const end = {
    project_id: PROJECT,
    id,
    ended_at: new Date(at + 1).toISOString(),
    output: { text: `answer ${id}` },
    summary: {},
  }
  return { start, end }
}
