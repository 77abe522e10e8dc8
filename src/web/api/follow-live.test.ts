import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../client/browser/api-error.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { followLive, type LiveView, type LiveEnvironment } from './follow-live.ts'

const REQUEST = { entity: 'a', project: 'p' }

/** The server side of one live feed connection. */
class Connection {
  readonly #queue: LiveEvent[] = []
  #wake: () => void = () => undefined
  readonly cursor: string | undefined
  readonly signal: AbortSignal | undefined

  constructor(cursor: string | undefined, signal: AbortSignal | undefined) {
    this.cursor = cursor
    this.signal = signal
    signal?.addEventListener('abort', () => this.#wake())
  }

  send(...events: LiveEvent[]): void {
    this.#queue.push(...events)
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent> {
    for (;;) {
      if (this.signal?.aborted === true) throw new Error('aborted')
      const event = this.#queue.shift()
      if (event === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      else yield event
    }
  }
}

function setUp(view: Partial<LiveView>, isInitiallyVisible = true) {
  const connections: Connection[] = []
  const log: string[] = []
  let isVisible = isInitiallyVisible
  let notifyVisibility = (): void => undefined
  const environment: LiveEnvironment = {
    client: {
      call: async (_, { cursor }, signal) => {
        const connection = new Connection(cursor ?? undefined, signal)
        connections.push(connection)
        return connection
      },
    },
    isVisible: () => isVisible,
    onVisibility: (listener) => {
      notifyVisibility = listener
      return () => undefined
    },
    wait: async () => undefined,
  }
  const stop = followLive(
    REQUEST,
    {
      read: async () => void log.push('read'),
      onEvent: (event) => void log.push(event.kind === 'delete' ? event.id : event.kind),
      ...view,
    },
    environment,
  )
  stops.push(stop)
  return {
    log,
    connections,
    open: () => connections.filter(({ signal }) => signal?.aborted !== true),
    show: (now: boolean) => {
      isVisible = now
      notifyVisibility()
    },
  }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const READY: LiveEvent = { kind: 'ready', cursor: '1' }
function deletion(id: string, cursor: string): LiveEvent {
  return { kind: 'delete', id, cursor }
}

async function flushMicrotasks(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('the live feed of a view', () => {
  test('connects before it reads, and delivers the events of the meantime afterwards', async () => {
    const log: string[] = []
    let finish = (): void => undefined
    const { connections } = setUp({
      read: () => new Promise((resolve) => (finish = () => resolve(void log.push('read')))),
      onEvent: (event) => void log.push(event.kind),
    })
    await flushMicrotasks()
    expect(log).toEqual([])
    connections[0]?.send(READY, deletion('x', '2'))
    await flushMicrotasks()
    expect(log).toEqual([])
    finish()
    await flushMicrotasks()
    expect(log).toEqual(['read', 'delete'])
  })

  test('a hidden tab holds no connection, and resumes at its cursor', async () => {
    const { connections, open, show, log } = setUp({})
    await flushMicrotasks()
    connections[0]?.send(READY, deletion('x', '2'))
    await flushMicrotasks()
    show(false)
    expect(open()).toHaveLength(0)
    show(true)
    await flushMicrotasks()
    expect(open()).toHaveLength(1)
    expect(connections[1]?.cursor).toBe('2')
    connections[1]?.send({ kind: 'ready', cursor: '2' }, deletion('y', '3'))
    await flushMicrotasks()
    expect(log).toEqual(['read', 'x', 'y'])
  })

  test('a tab opened in the background is loaded, and reloaded when it becomes visible', async () => {
    const { connections, open, show, log } = setUp({}, false)
    await flushMicrotasks()
    expect(log).toEqual(['read'])
    expect(open()).toHaveLength(0)
    show(true)
    await flushMicrotasks()
    connections[0]?.send(READY)
    await flushMicrotasks()
    expect(log).toEqual(['read', 'read'])
  })

  test('an expired cursor reloads the view', async () => {
    const { connections, log } = setUp({})
    await flushMicrotasks()
    connections[0]?.send(READY, deletion('x', '2'))
    await flushMicrotasks()
    connections[0]?.send({ kind: 'reset', cursor: '9', reason: 'old' }, deletion('y', '10'))
    await flushMicrotasks()
    expect(log).toEqual(['read', 'x', 'read', 'y'])
  })

  test('an idle view is not followed, also when it becomes visible again', async () => {
    const { connections, open, show } = setUp({ isIdle: () => true })
    await flushMicrotasks()
    connections[0]?.send(READY)
    await flushMicrotasks()
    expect(open()).toHaveLength(0)
    show(false)
    show(true)
    await flushMicrotasks()
    expect(connections).toHaveLength(1)
  })

  test('an unreachable server is retried, and other errors are reported', async () => {
    let tries = 0
    const failures: unknown[] = []
    const unreachable = setUp({
      read: async () => {
        if (++tries < 3) throw new ApiError('unavailable', 'unreachable')
      },
      onError: (error) => void failures.push(error),
    })
    await flushMicrotasks()
    unreachable.connections[0]?.send(READY)
    await flushMicrotasks()
    expect(tries).toBe(3)
    expect(failures).toEqual([])
    const refused = setUp({
      read: () => Promise.reject(new ApiError('not_found', 'no')),
      onError: (error) => void failures.push(error),
    })
    await flushMicrotasks()
    refused.connections[0]?.send(READY)
    await flushMicrotasks()
    expect(failures).toHaveLength(1)
  })
})
