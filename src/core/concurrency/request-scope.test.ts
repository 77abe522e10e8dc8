import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { currentRequest, inRequest, RequestScope, streamInRequest } from './request-scope.ts'

const scopeOf = (project_id: string) =>
  new RequestScope({ project_id, request_id: 'r', signal: new AbortController().signal })
const turns = () => new ConcurrencyLimiter({ maxConcurrent: 1, maxPerProject: 1, waitMs: 10 })

test('all statements of a request share one turn, which ends with it', async () => {
  const reads = turns()
  const scope = scopeOf('a')
  for (let n = 0; n < 3; n++) await scope.turn(() => reads.take('a'))
  await expect(reads.take('b')).rejects.toThrow('under way')
  scope.close()
  await reads.take('b')
})

test('a read that lasts trades its turn, so that others find one', async () => {
  const reads = turns()
  const exports = turns()
  const scope = scopeOf('a')
  await scope.turn(() => reads.take('a'))
  scope.trade((await exports.take('a')) ?? expect.fail())
  const over = await reads.take('b')
  // What it asks from now on needs no other turn.
  await scope.turn(() => reads.take('a'))
  expect(exports.takeNow('b')).toBeUndefined()
  scope.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(exports.takeNow('b')).toBeDefined()
  over()
})

test('whoever has gone neither takes a turn nor keeps one', async () => {
  const reads = turns()
  const exports = turns()
  const scope = scopeOf('a')
  scope.close()
  await scope.turn(() => reads.take('a'))
  scope.trade(exports.takeNow('a')!)
  expect(reads.takeNow('b')).toBeDefined()
  expect(exports.takeNow('b')).toBeDefined()
})

test('every part of a stream is made in the scope it was begun in', async () => {
  const scope = scopeOf('a')
  async function* parts() {
    for (let n = 0; n < 3; n++) yield currentRequest()
  }
  const stream = inRequest(scope, () => streamInRequest(parts()))
  const seen: unknown[] = []
  for await (const part of stream) seen.push(part)
  expect(seen).toEqual([scope, scope, scope])
})
