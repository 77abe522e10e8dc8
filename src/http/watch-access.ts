import { STREAM_CHECK_MS } from './limits.ts'
import type { RequestContext } from './request-context.ts'

/** Checks the caller's access periodically while a long response is being sent; a revoked permission ends it. */
export function watchAccess(
  context: RequestContext,
  recheck: () => Promise<void>,
  onRevoked: () => void,
): void {
  const timer = setInterval(() => void recheck().catch(onRevoked), STREAM_CHECK_MS).unref()
  context.onClose(() => clearInterval(timer))
}
