import { expect, test } from 'vitest'
import { ResultLimit } from './result-limit.ts'

const newLimit = () =>
  new ResultLimit({
    maxBytes: 100,
    maxRowBytes: 50,
    exceeded: () => new Error('too large'),
    isMainThread: true,
  })

test('all statements of a request count together, and each row separately', () => {
  const limit = newLimit()
  limit.count(60)
  limit.checkRow(50)
  expect(() => limit.checkRow(51)).toThrow('too large')
  limit.count(40)
  expect(() => limit.count(1)).toThrow('too large')
})

test('nothing fails once the response has begun, unless its handler catches the error of each group', () => {
  const begun = newLimit()
  begun.onResponseStarted()
  begun.count(1_000)
  begun.checkRow(1_000)
  const grouped = newLimit()
  grouped.startGroup()
  grouped.onResponseStarted()
  expect(() => grouped.count(101)).toThrow('too large')
  grouped.startGroup()
  grouped.count(100)
})
