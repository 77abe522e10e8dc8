import { expect, test } from 'vitest'
import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { type LiveCursor, readStreamCursor, writeCursor } from '../../core/live/live-cursor.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import type { EventBatch, EventBatches } from './live-subscriber.ts'
import type { LogRequest } from './log-feed.ts'
import { MergedStream } from './merged-stream.ts'

/** A log whose events the test provides. */
class TestLog {
  readonly requests: (LiveCursor | undefined)[] = []
  readonly #results: (EventBatch | Error | undefined)[] = []
  #wake: (() => void) | undefined

  /** The next batch; an error fails, undefined ends the stream. */
  send(result: EventBatch | Error | undefined): void {
    this.#results.push(result)
    this.#wake?.()
  }

  follow({ cursor }: Pick<LogRequest, 'cursor'>): EventBatches {
    this.requests.push(cursor)
    const ending = new AbortController()
    const batches: EventBatches = {
      [Symbol.asyncIterator]: () => batches,
      next: async () => {
        while (this.#results.length === 0 && !ending.signal.aborted)
          await new Promise<void>((wake) => {
            this.#wake = wake
          })
        const result = ending.signal.aborted ? undefined : this.#results.shift()
        if (result instanceof Error) throw result
        return result === undefined ? { done: true, value: undefined } : { done: false, value: result }
      },
      return: () => {
        ending.abort()
        this.#wake?.()
        return Promise.resolve({ done: true, value: undefined })
      },
    }
    return batches
  }
}

const at = (block: number, time = 100n): string => writeCursor({ at: time, block, offset: 0, step: 0 })
const ready = (cursor: string): EventBatch => [{ kind: 'ready', cursor }]
const deleted = (id: string, cursor: string): LiveEvent => ({ kind: 'delete', id, cursor })

function open(logs: readonly TestLog[], cursor = '', follow = true) {
  let ended = 0
  const request = { project_id: 'p', user_id: 'ann', follow, filter: undefined }
  const cursors = cursor === '' ? [] : readStreamCursor(cursor)
  const options = { pollMs: 1, heartbeatMs: 1_000 }
  const stream = new MergedStream(logs, request, cursors, options, () => ended++)
  const take = async (): Promise<EventBatch | undefined> => (await stream.next()).value
  return { stream, take, endings: () => ended }
}

const twoLogs = (): [TestLog, TestLog] => [new TestLog(), new TestLog()]

test('a cursor has the position of every shard, each up to the events that were sent', async () => {
  const [a, b] = twoLogs()
  const { take } = open([a, b])
  a.send(ready(at(1)))
  b.send(ready(at(20)))
  expect(await take()).toEqual([{ kind: 'ready', cursor: `${at(1)}_${at(20)}` }])
  b.send([deleted('x', at(21)), deleted('y', at(22))])
  expect(await take()).toEqual([deleted('x', `${at(1)}_${at(21)}`), deleted('y', `${at(1)}_${at(22)}`)])
  a.send([deleted('z', at(2))])
  expect(await take()).toEqual([deleted('z', `${at(2)}_${at(22)}`)])
})

test('a shard that was added starts at the time of the cursor, and one that this node does not know is kept', async () => {
  const [a, b] = twoLogs()
  const added = open([a, b], at(5, 200n))
  a.send(ready(at(5, 200n)))
  b.send(ready(at(0, 200n)))
  expect(await added.take()).toEqual(ready(`${at(5, 200n)}_${at(0, 200n)}`))
  expect(b.requests).toEqual([{ at: 200n, block: 0, offset: 0, step: 0 }])
  const [c] = twoLogs()
  const unknown = open([c], `${at(5)}_${at(6)}`)
  c.send(ready(at(5)))
  await unknown.take()
  c.send([deleted('x', at(7))])
  expect(await unknown.take()).toEqual([deleted('x', `${at(7)}_${at(6)}`)])
})

test('a shard that does not respond delays only its own events, and is read on from its position', async () => {
  const [a, b] = twoLogs()
  const { take } = open([a, b], `${at(1)}_${at(2)}`)
  b.send(new ApiError('unavailable', 'down'))
  a.send(ready(at(1)))
  expect(await take()).toEqual(ready(`${at(1)}_${at(2)}`))
  a.send([deleted('x', at(3))])
  expect(await take()).toEqual([deleted('x', `${at(3)}_${at(2)}`)])
  b.send(new ApiError('unavailable', 'still down'))
  await waitUntil(() => b.requests.length === 3)
  expect(b.requests.map((cursor) => cursor?.block)).toEqual([2, 2, 2])
  b.send(ready(at(2)))
  b.send([deleted('y', at(9))])
  expect(await take()).toEqual([deleted('y', `${at(3)}_${at(9)}`)])
})

test('a stream from the present that began without a shard reads it from that time, not from its later end', async () => {
  const [a, b] = twoLogs()
  const { take } = open([a, b])
  a.send(ready(at(7, 300n)))
  expect(await take()).toEqual(ready(`${at(7, 300n)}_${at(0, 300n)}`))
  b.send(ready(at(50, 900n)))
  await waitUntil(() => b.requests.length === 2)
  expect(b.requests[1]).toEqual({ at: 300n, block: 0, offset: 0, step: 0 })
})

test('if no shard responds, the stream fails; without following, if one does not', async () => {
  const failing = twoLogs()
  const none = open(failing)
  for (const log of failing) log.send(new ApiError('unavailable', 'down'))
  await expect(none.take()).rejects.toThrow('down')
  expect(none.endings()).toBeGreaterThan(0)
  const [a, b] = twoLogs()
  const stored = open([a, b], '', false)
  a.send(ready(at(1)))
  b.send(new ApiError('unavailable', 'down'))
  await expect(stored.take()).rejects.toThrow('down')
})

test('without following, the stream ends at the end of all logs; with it, at the end of any', async () => {
  for (const follow of [false, true]) {
    const logs = twoLogs()
    const { take } = open(logs, '', follow)
    for (const log of logs) log.send(ready(at(1)))
    await take()
    logs[0].send(undefined)
    if (!follow) {
      logs[1].send([deleted('x', at(2))])
      expect(await take()).toEqual([deleted('x', `${at(1)}_${at(2)}`)])
      logs[1].send(undefined)
    }
    expect(await take()).toBeUndefined()
  }
})

test('one reset and one heartbeat are sent, however many shards send theirs', async () => {
  const logs = twoLogs()
  const { take } = open(logs, `${at(1)}_${at(2)}`)
  for (const log of logs) log.send([{ kind: 'reset', cursor: at(9), reason: 'old' }])
  expect(await take()).toEqual([{ kind: 'reset', cursor: `${at(9)}_${at(9)}`, reason: 'old' }])
  for (const [i, log] of logs.entries()) log.send([{ kind: 'heartbeat', cursor: at(10 + i) }])
  expect(await take()).toEqual([{ kind: 'heartbeat', cursor: `${at(10)}_${at(9)}` }])
  logs[0].send([deleted('x', at(12))])
  expect(await take()).toEqual([deleted('x', `${at(12)}_${at(11)}`)])
})

test('streams at the same positions share the events, so that they are encoded once', async () => {
  const taken: (EventBatch | undefined)[] = []
  const page = [deleted('x', at(3))]
  for (const _ of [1, 2]) {
    const logs = twoLogs()
    const { take } = open(logs)
    for (const log of logs) log.send(ready(at(1)))
    await take()
    logs[1].send(page)
    taken.push(await take())
  }
  expect(taken[0]).toBe(taken[1])
})

test('a waiting stream can be ended', async () => {
  const logs = twoLogs()
  const { stream, take, endings } = open(logs)
  for (const log of logs) log.send(ready(at(1)))
  await take()
  const next = take()
  await stream.return()
  expect(await next).toBeUndefined()
  expect(endings()).toBeGreaterThan(0)
})
