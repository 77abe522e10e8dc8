import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../client/browser/api-error.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followLive, type LiveView, type Surroundings } from './follow-live.ts'

const REQUEST = { entity: 'a', project: 'p' }

/** One connection to the feed, from the side of the server. */
class Connection {
  readonly #waiting: LiveEvent[] = []
  #wake: () => void = () => undefined
  readonly cursor: string | undefined
  readonly signal: AbortSignal | undefined

  constructor(cursor: string | undefined, signal: AbortSignal | undefined) {
    this.cursor = cursor
    this.signal = signal
    signal?.addEventListener('abort', () => this.#wake())
  }

  send(...events: LiveEvent[]): void {
    this.#waiting.push(...events)
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent> {
    for (;;) {
      if (this.signal?.aborted === true) throw new Error('aborted')
      const event = this.#waiting.shift()
      if (event === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else yield event
    }
  }
}

function world(view: Partial<LiveView>, isVisibleAtFirst = true) {
  const connections: Connection[] = []
  const told: string[] = []
  let isVisible = isVisibleAtFirst
  let look = (): void => undefined
  const around: Surroundings = {
    client: {
      call: async (_, { cursor }, signal) => {
        const connection = new Connection(cursor ?? undefined, signal)
        connections.push(connection)
        return connection
      },
    },
    isVisible: () => isVisible,
    onVisibility: (tell) => {
      look = tell
      return () => undefined
    },
    wait: async () => undefined,
  }
  const stop = followLive(
    REQUEST,
    {
      read: async () => void told.push('read'),
      tell: (event) => void told.push(event.kind === 'delete' ? event.id : event.kind),
      ...view,
    },
    around,
  )
  stops.push(stop)
  return {
    told,
    connections,
    open: () => connections.filter(({ signal }) => signal?.aborted !== true),
    show: (now: boolean) => {
      isVisible = now
      look()
    },
  }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const READY: LiveEvent = { kind: 'ready', cursor: '1' }
function gone(id: string, cursor: string): LiveEvent {
  return { kind: 'delete', id, cursor }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('following', () => {
  test('begins before it reads, and tells afterwards what came meanwhile', async () => {
    const told: string[] = []
    let finish = (): void => undefined
    const { connections } = world({
      read: () => new Promise((resolve) => (finish = () => resolve(void told.push('read')))),
      tell: (event) => void told.push(event.kind),
    })
    await turns()
    expect(told).toEqual([])
    connections[0]?.send(READY, gone('x', '2'))
    await turns()
    expect(told).toEqual([])
    finish()
    await turns()
    expect(told).toEqual(['read', 'delete'])
  })

  test('a tab that nobody sees holds no connection, and goes on where it was', async () => {
    const { connections, open, show, told } = world({})
    await turns()
    connections[0]?.send(READY, gone('x', '2'))
    await turns()
    show(false)
    expect(open()).toHaveLength(0)
    show(true)
    await turns()
    expect(open()).toHaveLength(1)
    expect(connections[1]?.cursor).toBe('2')
    connections[1]?.send({ kind: 'ready', cursor: '2' }, gone('y', '3'))
    await turns()
    expect(told).toEqual(['read', 'x', 'y'])
  })

  test('a tab that is opened behind the others is read, and read anew once it is seen', async () => {
    const { connections, open, show, told } = world({}, false)
    await turns()
    expect(told).toEqual(['read'])
    expect(open()).toHaveLength(0)
    show(true)
    await turns()
    connections[0]?.send(READY)
    await turns()
    expect(told).toEqual(['read', 'read'])
  })

  test('what is too long ago is read anew', async () => {
    const { connections, told } = world({})
    await turns()
    connections[0]?.send(READY, gone('x', '2'))
    await turns()
    connections[0]?.send({ kind: 'reset', cursor: '9', reason: 'old' }, gone('y', '10'))
    await turns()
    expect(told).toEqual(['read', 'x', 'read', 'y'])
  })

  test('what is settled is not followed, also when it is seen again', async () => {
    const { connections, open, show } = world({ isSettled: () => true })
    await turns()
    connections[0]?.send(READY)
    await turns()
    expect(open()).toHaveLength(0)
    show(false)
    show(true)
    await turns()
    expect(connections).toHaveLength(1)
  })

  test('a server that is away is waited for; what is refused is told', async () => {
    let tries = 0
    const failures: unknown[] = []
    const away = world({
      read: async () => {
        if (++tries < 3) throw new ApiError('unavailable', 'away')
      },
      fail: (error) => void failures.push(error),
    })
    await turns()
    away.connections[0]?.send(READY)
    await turns()
    expect(tries).toBe(3)
    expect(failures).toEqual([])
    const refused = world({
      read: () => Promise.reject(new ApiError('not_found', 'no')),
      fail: (error) => void failures.push(error),
    })
    await turns()
    refused.connections[0]?.send(READY)
    await turns()
    expect(failures).toHaveLength(1)
  })
})
