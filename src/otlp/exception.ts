import { isAbsent } from './json.ts'
import type { Attributes, Span, SpanEvent } from './model.ts'

/** The last recorded exception, with its stack trace. A span that ended well handled it. */
export function exceptionText(events: readonly SpanEvent[], { statusCode }: Span): string | undefined {
  const last = events.at(-1)
  if (last === undefined || statusCode === STATUS_OK) return undefined
  const type = textIn(last.attributes, 'exception.type')
  const message = textIn(last.attributes, 'exception.message')
  const stack = textIn(last.attributes, 'exception.stacktrace')
  const line = [type, message].filter((each) => each !== '').join(': ')
  // A stack trace of JavaScript or Java begins with that line.
  const [start] = [type, message].filter((each) => each !== '')
  if (stack === '') return line === '' ? undefined : line
  return start !== undefined && stack.startsWith(start) ? stack : `${line}\n${stack}`.trimStart()
}

/** The error of a span without a recorded exception. */
export function statusError({ statusCode, statusMessage, attributes }: Span): string | undefined {
  if (statusCode !== STATUS_ERROR) return undefined
  return statusMessage || textIn(attributes, 'error.message') || textIn(attributes, 'error.type') || 'error'
}

const STATUS_OK = 1
const STATUS_ERROR = 2

function textIn(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  return value === undefined || isAbsent(value) || typeof value !== 'string' ? '' : value
}
