import type { IncomingHttpHeaders } from 'node:http'
import type { ExportOutcome } from '../contract/operation.ts'
import { encodeProjectHeader } from '../contract/project-header.ts'
import type { RequestContext } from './request-context.ts'

/** Notes what has become of an export of OpenTelemetry. The thread for large requests says it in headers. */

const GUESSES_HEADER = 'heddle-guessed-projects'
const DISCARDED_HEADER = 'heddle-discarded'

/** Clients and proxies limit headers. */
const MAX_GUESSES = 5

export function recordOutcome(context: RequestContext, { guesses, discarded }: ExportOutcome): void {
  if (guesses.length > 0 || discarded > 0) context.exported = { guesses, discarded }
}

export function outcomeHeaders({ guesses, discarded }: ExportOutcome): Record<string, string> {
  const projects = guesses.slice(0, MAX_GUESSES).map(encodeProjectHeader)
  return {
    ...(projects.length > 0 ? { [GUESSES_HEADER]: projects.join(', ') } : {}),
    ...(discarded > 0 ? { [DISCARDED_HEADER]: String(discarded) } : {}),
  }
}

/** Of a response of the thread. */
export function outcomeIn(headers: IncomingHttpHeaders): ExportOutcome {
  const { [GUESSES_HEADER]: guesses, [DISCARDED_HEADER]: discarded } = headers
  return {
    guesses: typeof guesses === 'string' ? guesses.split(', ').map(decodeURIComponent) : [],
    discarded: typeof discarded === 'string' ? Number(discarded) : 0,
  }
}
