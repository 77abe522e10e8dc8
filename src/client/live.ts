import type { LiveEvent } from '../contract/live/live.ts'
import type { InputOf } from '../contract/operations.ts'
import { isPassing } from './retrying-fetch.ts'

export interface Following {
  /** Before it is tried again; grows with every try that brought nothing. */
  readonly wait: (ms: number) => Promise<void>
  readonly signal?: AbortSignal
}

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 10_000

/** A client of a server or of a browser: events hold no payloads, so that both are alike here. */
export interface LiveCaller {
  call(
    name: 'project_live',
    request: InputOf<'project_live'>,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<LiveEvent>>
}

/**
 * Follows a project until the loop is left or the signal given: whenever the stream ends or breaks it is taken up
 * where it was, so that every event comes once. `client` may be another one each time, for another node.
 */
export async function* followProject(
  client: () => LiveCaller,
  request: InputOf<'project_live'>,
  { wait, signal }: Following,
): AsyncGenerator<LiveEvent> {
  let { cursor } = request
  let pause = FIRST_WAIT_MS
  const isOver = (): boolean => signal?.aborted === true
  while (!isOver()) {
    try {
      const at = typeof cursor === 'string' ? { cursor } : {}
      for await (const event of await client().call('project_live', { ...request, ...at }, signal)) {
        pause = FIRST_WAIT_MS
        // Known before it is handed on: whoever leaves the loop with this event has had it.
        const isFirst = cursor === undefined || cursor === null
        cursor = event.cursor
        if (event.kind === 'heartbeat' || (event.kind === 'ready' && !isFirst)) continue
        yield event
      }
    } catch (error) {
      if (isOver()) return
      if (!isPassing(error)) throw error
    }
    await wait(pause)
    pause = Math.min(pause * 2, LONGEST_WAIT_MS)
  }
}
