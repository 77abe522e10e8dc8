import { expect, test } from 'vitest'
import { findHome, type Presence } from './call-home.ts'

const cases: readonly [Presence[], number, boolean][] = [
  [['absent', 'absent', 'absent'], 7, false],
  [['present', 'absent', 'absent'], 4, false],
  [['absent', 'present', 'absent'], 6, false],
  [['absent', 'absent', 'present'], 7, false],
  [['present', 'moved', 'moved'], 4, false],
  // Its records are on the way to the first candidate, or were there when it was asked too early.
  [['absent', 'moved', 'absent'], 4, false],
  [['present', 'present', 'absent'], 4, true],
  [['absent', 'present', 'present'], 4, true],
  [['absent', 'present', 'moved'], 4, true],
  [['absent', 'moved', 'present'], 4, true],
]

test.each(cases)('%j', (presences, shard, isSplit) => {
  expect(findHome([4, 6, 7], presences, 7)).toEqual({ shard, isSplit })
})
