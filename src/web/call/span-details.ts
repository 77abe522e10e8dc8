import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/**
 * What the attributes of a call tell about the span that it was made from: the span itself, its events and its links.
 * Works on JSON text, because a span can have megabytes.
 */
export interface SpanDetails {
  /** The complete span, as JSON; undefined if it is not stored. */
  readonly span: string | undefined
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
}

export interface SpanEvent {
  readonly name: string
  /** ISO 8601. */
  readonly time: string
  /** JSON; undefined if the event has none. */
  readonly attributes: string | undefined
}

export interface SpanLink {
  readonly trace_id: string
  /** The call of the linked span, if the span was sent to the same project. */
  readonly call_id: string
  /** JSON; undefined if the link has none. */
  readonly attributes: string | undefined
}

const MAX_ITEMS = 500

export function readSpanDetails(attributes: string): SpanDetails {
  const members = readMembers(attributes, skipSpace(attributes, 0))
  const otel = readMembers(members.get('otel') ?? 'null', 0)
  return {
    span: members.get('otel_span'),
    events: readItems(otel.get('events'))
      .map((event) => ({
        name: text(event.get('name')),
        time: text(event.get('time')),
        attributes: event.get('attributes'),
      }))
      .filter(({ name }) => name !== ''),
    links: readItems(otel.get('links'))
      .map((link) => ({
        trace_id: text(link.get('trace_id')),
        call_id: text(link.get('call_id')),
        attributes: link.get('attributes'),
      }))
      .filter(({ call_id }) => call_id !== ''),
  }
}

type Members = ReadonlyMap<string, string>

/** The members of an object as JSON texts. */
function readMembers(json: string, at: number): Members {
  const members = new Map<string, string>()
  if (at >= json.length || kindAt(json, at) !== 'object') return members
  eachChild(json, at, (keyAt, valueAt, end) => {
    members.set(stringAt(json, keyAt), json.slice(valueAt, end))
  })
  return members
}

function readItems(list: string | undefined): Members[] {
  const items: Members[] = []
  if (list === undefined || kindAt(list, 0) !== 'array') return items
  eachChild(list, 0, (_, valueAt) => {
    items.push(readMembers(list, valueAt))
    return items.length < MAX_ITEMS
  })
  return items
}

function text(json: string | undefined): string {
  return json !== undefined && kindAt(json, 0) === 'string' ? stringAt(json, 0) : ''
}
