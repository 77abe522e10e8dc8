import type { FastifyReply, FastifyRequest } from 'fastify'
import { inRequest, RequestScope } from '../core/concurrency/request-scope.ts'
import { STREAM_CHECK_MS } from './limits.ts'

interface Read {
  readonly project_id: string | undefined
  /** For those that last: throws once the caller may not read this any longer. */
  readonly mayGoOn: (() => Promise<void>) | undefined
}

/**
 * Answers a read in a scope of its own: its statements take turns with those of other projects, and end in the engine
 * when nobody wants the answer any more: the client has gone, or may not read this any longer.
 */
export async function readInScope(
  request: FastifyRequest,
  reply: FastifyReply,
  { project_id, mayGoOn }: Read,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const leaving = new AbortController()
  const scope = new RequestScope({ project_id, request_id: request.id, signal: leaving.signal })
  // A stream that waits for its reader hears of nothing but that the connection is gone.
  const check =
    mayGoOn && setInterval(() => void mayGoOn().catch(() => reply.raw.destroy()), STREAM_CHECK_MS).unref()
  const end = (): void => {
    clearInterval(check)
    scope.close()
    if (!reply.raw.writableFinished) leaving.abort()
  }
  // Whoever left while the request was being read is not told of again, and would keep a turn for ever.
  if (reply.raw.destroyed) end()
  else reply.raw.once('close', end)
  try {
    return await inRequest(scope, () => work(scope.signal))
  } catch (error) {
    if (!leaving.signal.aborted) throw error
    // There is nobody to tell, and that somebody left is no failure of ours.
    return reply.hijack()
  }
}
