import type { LiveEvent } from '../src/contract/live/live.ts'
import { createClient } from '../src/client/client.ts'
import { projectPath } from './project-path.ts'

/** A subscription to the live feed, read in the background: tests write, then check which events arrived. */
export interface LiveStream {
  /** All events received so far, without heartbeats. */
  readonly events: LiveEvent[]
  /** The cursor of the last event or heartbeat. */
  readonly cursor: string
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<void>
  /** Waits for this many events after `ready`, then 400 ms more for any that should not come. */
  waitForEvents(count: number): Promise<EventSummary[]>
  close(): Promise<void>
}

/** An event as short text: `start a`, `feedback created f`. */
export type EventSummary = string

export interface LiveTarget {
  readonly url: string
  readonly authorization: string
  readonly project_id: string
}

export type LiveQuery = Partial<Record<'cursor' | 'trace_id' | 'op_name', string>> & {
  readonly kinds?: string[]
  readonly follow?: boolean
}

/** Resolves once the feed has sent its first event, `ready`, with the cursor it starts from. */
export async function openStream(target: LiveTarget, query: LiveQuery = {}): Promise<LiveStream> {
  const abort = new AbortController()
  const client = createClient(target)
  const path = projectPath(target.project_id)
  const request = { ...path, ...query } as Parameters<typeof client.call<'project_live'>>[1]
  const stream = (await client.call('project_live', request, abort.signal))[Symbol.asyncIterator]()
  const first = await stream.next()
  const events: LiveEvent[] = [first.value as LiveEvent]
  let cursor = events[0]!.cursor
  const read = async (): Promise<void> => {
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
      cursor = next.value.cursor
      if (next.value.kind !== 'heartbeat') events.push(next.value)
    }
  }
  const ended = read().catch(() => {})
  return {
    events,
    get cursor() {
      return cursor
    },
    ended,
    waitForEvents: async (count) => {
      for (let waited = 0; events.length - 1 < count && waited < 15_000; waited += 20) await pause(20)
      await pause(400)
      return events.slice(1).map(eventSummary)
    },
    close: async () => {
      abort.abort()
      await ended
    },
  }
}

export function eventSummary(event: LiveEvent): EventSummary {
  if (event.kind === 'feedback') return `feedback ${event.action} ${event.id}`
  return 'id' in event ? `${event.kind} ${event.id}` : event.kind
}

/**
 * Events in an order to compare: that of one server. On several shards only the events of one call have an order, so they
 * are grouped by call.
 */
export function inStoredOrder(events: readonly EventSummary[]): EventSummary[] {
  if (process.env['HEDDLE_TEST_CLUSTER'] === undefined) return [...events]
  const id = (event: EventSummary): string => event.split(' ').at(-1) ?? ''
  return events.toSorted((a, b) => id(a).localeCompare(id(b)))
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
