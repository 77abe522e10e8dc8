import { expect, test } from 'vitest'
import { LoginFailures } from './login-failures.ts'

test('a username beyond the limit waits until the window ends, others do not', () => {
  const failures = new LoginFailures({ maxFailures: 3, windowMs: 60_000, maxUsernames: 10 })
  for (let i = 0; i < 3; i++) failures.add('a', i * 1_000)
  expect(failures.waitSeconds('a', 10_000)).toBe(50)
  expect(failures.waitSeconds('b', 10_000)).toBe(0)
  expect(failures.waitSeconds('a', 60_000)).toBe(0)
  failures.add('a', 60_000)
  expect(failures.waitSeconds('a', 60_001)).toBe(0)
})

test('many usernames use bounded memory', () => {
  const failures = new LoginFailures({ maxFailures: 1, windowMs: 60_000, maxUsernames: 2 })
  for (const name of ['a', 'b', 'c']) failures.add(name, 0)
  expect(['a', 'b', 'c'].map((name) => failures.waitSeconds(name, 0))).toEqual([0, 60, 60])
})
