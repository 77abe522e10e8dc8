import { randomUUID } from 'node:crypto'

export interface Target {
  readonly url: string
  readonly authorization: string
}

/** What the clients know: the output of each acknowledged call, and calls whose answer never came. */
export interface History {
  readonly acknowledged: Map<string, string>
  readonly unknown: Set<string>
  refused: number
}

export const PROJECT = 'admin/kill'

type Write = (target: Target, calls: readonly TestCall[]) => Promise<boolean>

interface TestCall {
  readonly id: string
  readonly output: string
}

/** One client: writes batches, each in one of the shapes that SDKs use, until told to stop. */
export async function writeUntil(
  signal: AbortSignal,
  target: Target,
  name: string,
  history: History,
): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const calls = Array.from({ length: 1 + (n % 20) }, (_, i) => ({
      id: randomUUID(),
      output: `${name} ${n} ${i} ${'x'.repeat((n * 37) % 2000)}`,
    }))
    for (const call of calls) history.unknown.add(call.id)
    const write = SHAPES[n % SHAPES.length]
    const isStored = await write?.(target, calls).catch(() => undefined)
    if (isStored === true) {
      for (const call of calls) {
        history.unknown.delete(call.id)
        history.acknowledged.set(call.id, call.output)
      }
    } else if (isStored === false) history.refused++
    // The server is gone: do not spin until it is back.
    else await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const start = (call: TestCall) => ({
  project_id: PROJECT,
  id: call.id,
  trace_id: call.id,
  op_name: 'kill',
  started_at: new Date().toISOString(),
  attributes: {},
  inputs: { id: call.id },
})

const end = (call: TestCall) => ({
  project_id: PROJECT,
  id: call.id,
  ended_at: new Date().toISOString(),
  output: call.output,
  summary: {},
})

const complete: Write = (target, calls) =>
  post(target, `/v2/${PROJECT}/calls/complete`, {
    batch: calls.map((call) => ({ ...start(call), ...end(call) })),
  })

const startsThenEnds: Write = async (target, calls) =>
  (await post(target, '/call/upsert_batch', { batch: calls.map(startItem) })) &&
  (await post(target, '/call/upsert_batch', { batch: calls.map(endItem) }))

const endsThenStarts: Write = async (target, calls) =>
  (await post(target, '/call/upsert_batch', { batch: calls.map(endItem) })) &&
  (await post(target, '/call/upsert_batch', { batch: calls.map(startItem) }))

const mixed: Write = (target, calls) =>
  post(target, '/call/upsert_batch', { batch: calls.flatMap((call) => [endItem(call), startItem(call)]) })

/** Sent twice at once: still one call each. */
const doubled: Write = async (target, calls) => {
  const batch = calls.map((call) => ({ ...start(call), ...end(call) }))
  const answers = await Promise.all(
    [1, 2].map(() => post(target, `/v2/${PROJECT}/calls/complete`, { batch })),
  )
  return answers.every(Boolean)
}

const SHAPES: readonly Write[] = [complete, startsThenEnds, mixed, doubled, endsThenStarts]

const startItem = (call: TestCall) => ({ mode: 'start', req: { start: start(call) } })
const endItem = (call: TestCall) => ({ mode: 'end', req: { end: end(call) } })

/** Whether the server said yes; throws when it said nothing. */
async function post(target: Target, path: string, body: unknown): Promise<boolean> {
  const response = await fetch(target.url + path, {
    method: 'POST',
    headers: { authorization: target.authorization },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.ok
}
