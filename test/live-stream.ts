import type { LiveEvent } from '../src/contract/live/live.ts'
import { createClient } from '../src/client/client.ts'

/** A stream of the live feed that is read in the background, for tests that write and then look what was told. */
export interface LiveStream {
  /** All that has come, without heartbeats. */
  readonly events: LiveEvent[]
  /** The cursor of the last event or heartbeat. */
  readonly cursor: string
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  /** Waits until this many events have come after `ready`, and a little longer for any that should not. */
  told(count: number): Promise<Told[]>
  close(): Promise<void>
}

/** An event in a few words: `start a`, `feedback created f`. */
export type Told = string

export interface Place {
  readonly url: string
  readonly authorization: string
  readonly project_id: string
}

export type LiveQuery = Partial<Record<'cursor' | 'trace_id' | 'op_name', string>> & {
  readonly kinds?: string[]
  readonly follow?: boolean
}

/** Resolves once the feed has said where it begins. */
export async function openStream(place: Place, query: LiveQuery = {}): Promise<LiveStream> {
  const leaving = new AbortController()
  const client = createClient(place)
  const [entity = '', project = ''] = place.project_id.split('/')
  const request = { entity, project, ...query } as Parameters<typeof client.call<'project_live'>>[1]
  const stream = (await client.call('project_live', request, leaving.signal))[Symbol.asyncIterator]()
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
    told: async (count) => {
      for (let waited = 0; events.length - 1 < count && waited < 15_000; waited += 20) await pause(20)
      await pause(400)
      return events.slice(1).map(told)
    },
    close: async () => {
      leaving.abort()
      await ended
    },
  }
}

export function told(event: LiveEvent): Told {
  if (event.kind === 'feedback') return `feedback ${event.action} ${event.id}`
  return 'id' in event ? `${event.kind} ${event.id}` : event.kind
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
