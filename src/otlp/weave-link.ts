import type { Span } from './model.ts'

/** A call of Weave's SDK. */
export interface LinkedCall {
  readonly id: string
  readonly trace_id: string
}

/** What Weave's SDK writes on every span that begins while one of its calls is running. */
const CALL_ID = 'weave.parent_call.id'
const TRACE_ID = 'weave.parent_call.trace_id'

/** The spans of Weave's own conversations are traces of their own, as in Weave. */
const WEAVE_SCOPE = 'weave.'

/**
 * The call of Weave's SDK during which a span of another library began. The SDK exports such spans too, since it set the
 * global tracer provider, and traces the same request itself: the span belongs below that call, and its tokens are those
 * that the call already reports.
 */
export function linkedCall({ scope, attributes }: Span): LinkedCall | undefined {
  if (scope.name.startsWith(WEAVE_SCOPE)) return undefined
  const id = attributes.get(CALL_ID)
  const trace_id = attributes.get(TRACE_ID)
  return typeof id === 'string' && typeof trace_id === 'string' && id !== '' && trace_id !== ''
    ? { id, trace_id }
    : undefined
}
