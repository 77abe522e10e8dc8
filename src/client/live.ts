import type { LiveEvent } from '../contract/live/live.ts'
import type { InputOf } from '../contract/operations.ts'
import { Backoff } from '../core/concurrency/backoff.ts'
import { isRetryable } from './retry.ts'

/** Follows the live feed of a project, with reconnects. */

/** How `followProject` waits and stops. */
export interface FollowOptions {
  /** Waits before reconnecting. The delay doubles with each attempt that brought no event. */
  readonly wait: (ms: number) => Promise<void>
  readonly signal?: AbortSignal
}

const BACKOFF = { firstMs: 200, maxMs: 10_000 }

/** What `followProject` needs of a client. Events have no payloads, so the Node and browser clients are alike. */
export interface LiveClient {
  call(
    name: 'project_live',
    request: InputOf<'project_live'>,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<LiveEvent>>
}

/**
 * Follows a project's live feed until the loop ends or the signal aborts. When the stream ends or breaks, it
 * reconnects with the last cursor, so that each event arrives once. `client` may return another client each time, for
 * another node.
 */
export async function* followProject(
  client: () => LiveClient,
  request: InputOf<'project_live'>,
  { wait, signal }: FollowOptions,
): AsyncGenerator<LiveEvent> {
  let { cursor } = request
  const backoff = new Backoff(BACKOFF)
  const isAborted = (): boolean => signal?.aborted === true
  while (!isAborted()) {
    try {
      const at = typeof cursor === 'string' ? { cursor } : {}
      for await (const event of await client().call('project_live', { ...request, ...at }, signal)) {
        backoff.reset()
        // The cursor is stored before the event is yielded: if the loop ends with this event, it counts as received.
        const isFirst = cursor === undefined || cursor === null
        cursor = event.cursor
        if (event.kind === 'heartbeat' || (event.kind === 'ready' && !isFirst)) continue
        yield event
      }
    } catch (error) {
      if (isAborted()) return
      if (!isRetryable(error)) throw error
    }
    await wait(backoff.nextMs())
  }
}
