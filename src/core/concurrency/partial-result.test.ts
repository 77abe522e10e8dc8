import { expect, test } from 'vitest'
import { PartialResult } from './partial-result.ts'

test('shards are collected in order, each once', () => {
  const partial = new PartialResult()
  expect(partial.leaveOut([3])).toBe(true)
  expect(partial.leaveOut([1, 3])).toBe(true)
  expect(partial.shards).toEqual([1, 3])
})

test('once the response has begun, no other shard may be left out', () => {
  const partial = new PartialResult()
  partial.leaveOut([2])
  partial.seal()
  expect(partial.leaveOut([2])).toBe(true)
  expect(partial.leaveOut([1])).toBe(false)
  expect(partial.shards).toEqual([2])
})
