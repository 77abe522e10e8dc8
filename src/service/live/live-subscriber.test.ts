import { expect, test } from 'vitest'
import type { LiveEvent } from '../../contract/live/live.ts'
import type { EventPage } from './live-page.ts'
import { Subscriber } from './live-subscriber.ts'

const event = (id: string): LiveEvent => ({ kind: 'delete', cursor: id, id })

/** A page of events in consecutive blocks from `block` on. */
const page = (block: number, ...ids: readonly string[]): EventPage => ({
  events: ids.map(event),
  positions: ids.map((_, i) => ({ block: block + i, offset: 0 })),
})

test('subscribers that get all events of a page get the same array, which is encoded once', async () => {
  const subscribers = [new Subscriber(undefined, 10), new Subscriber(undefined, 10)]
  const { events, positions } = page(5, 'a', 'b')
  for (const subscriber of subscribers) subscriber.enqueue({ events, positions })
  for (const subscriber of subscribers) expect(await subscriber.take()).toBe(events)
})

test('a subscriber gets no events before its position, and none that its filter excludes', async () => {
  const subscriber = new Subscriber((each) => 'id' in each && each.id !== 'c', 10)
  subscriber.position = { block: 6, offset: 0 }
  subscriber.enqueue(page(3, 'x', 'y'))
  subscriber.enqueue(page(5, 'a', 'b', 'c', 'd'))
  expect(await subscriber.take()).toEqual([event('b'), event('d')])
  subscriber.end()
  expect(await subscriber.take()).toBeUndefined()
})

test('a client that is too slow still gets the queued events, then its stream ends', async () => {
  const subscriber = new Subscriber(undefined, 3)
  for (const [i, id] of ['a', 'b', 'c', 'd', 'e'].entries()) subscriber.enqueue(page(i, id))
  expect(subscriber.isEnded).toBe(true)
  const received: LiveEvent[] = []
  for (let next = await subscriber.take(); next !== undefined; next = await subscriber.take())
    received.push(...next)
  expect(received).toEqual(['a', 'b', 'c', 'd'].map(event))
})

test('a heartbeat is sent only to an idle client that is not ahead of the channel', async () => {
  const subscriber = new Subscriber(undefined, 3)
  subscriber.position = { block: 9, offset: 0 }
  subscriber.enqueueHeartbeat({ block: 8, offset: 0 }, 'early')
  subscriber.enqueueHeartbeat({ block: 9, offset: 0 }, 'due')
  subscriber.enqueueHeartbeat({ block: 9, offset: 0 }, 'second')
  expect(await subscriber.take()).toEqual([{ kind: 'heartbeat', cursor: 'due' }])
})
