import { expect, test } from 'vitest'
import { Failures } from './failures.ts'

test('after the limit a name has to wait until the window is over, others do not', () => {
  const failures = new Failures({ most: 3, windowMs: 60_000, names: 10 })
  for (let i = 0; i < 3; i++) failures.add('a', i * 1_000)
  expect(failures.waitSeconds('a', 10_000)).toBe(50)
  expect(failures.waitSeconds('b', 10_000)).toBe(0)
  expect(failures.waitSeconds('a', 60_000)).toBe(0)
  failures.add('a', 60_000)
  expect(failures.waitSeconds('a', 60_001)).toBe(0)
})

test('a flood of names takes bounded memory', () => {
  const failures = new Failures({ most: 1, windowMs: 60_000, names: 2 })
  for (const name of ['a', 'b', 'c']) failures.add(name, 0)
  expect(['a', 'b', 'c'].map((name) => failures.waitSeconds(name, 0))).toEqual([0, 60, 60])
})
