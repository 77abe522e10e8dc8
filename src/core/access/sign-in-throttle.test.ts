import { expect, test } from 'vitest'
import { type SignInAttempt, SignInThrottle } from './sign-in-throttle.ts'

const LIMITS = {
  windowMs: 60_000,
  maxPerSource: 3,
  maxPerUsername: 6,
  maxPromptPerAddress: 4,
  maxPendingPerAddress: 5,
  maxPending: 8,
  maxKeys: 100,
}

/** `attempt('1.1.1.1 ann')` makes an attempt that stays pending; fails the test if it is refused. */
function makeThrottle(overrides = {}) {
  const throttle = new SignInThrottle({ ...LIMITS, ...overrides })
  const begin = (source: string, nowMs = 0): SignInAttempt | number => {
    const [address = '', username = ''] = source.split(' ')
    return throttle.begin({ address, username }, nowMs)
  }
  const attempt = (source: string, nowMs = 0): SignInAttempt => {
    const begun = begin(source, nowMs)
    if (typeof begun === 'number') throw new Error(`${source} must wait ${begun} s`)
    return begun
  }
  const fail = (source: string, nowMs = 0): void => attempt(source, nowMs).end(false)
  return { begin, attempt, fail }
}

test('concurrent attempts are counted before any of them ends', () => {
  const { begin, attempt } = makeThrottle()
  for (let n = 0; n < 3; n++) attempt('1.1.1.1 ann')
  expect(begin('1.1.1.1 ann')).toBe(60)
})

test('a source beyond its limit waits until the window ends; other users and addresses do not', () => {
  const { begin, attempt, fail } = makeThrottle()
  for (let n = 0; n < 3; n++) fail('1.1.1.1 ann', n * 1_000)
  expect(begin('1.1.1.1 ann', 10_000)).toBe(50)
  fail('1.1.1.1 bob', 10_000)
  fail('2.2.2.2 ann', 10_000)
  expect(attempt('1.1.1.1 ann', 60_000).isDelayed).toBe(false)
})

test('correct passwords are not counted', () => {
  const { attempt } = makeThrottle()
  for (let n = 0; n < 20; n++) attempt('1.1.1.1 ann').end(true)
  expect(attempt('1.1.1.1 ann')).toMatchObject({ isTrusted: true, isDelayed: false })
})

test('guessing a username from many addresses does not affect an address that has signed in before', () => {
  const { begin, attempt, fail } = makeThrottle()
  attempt('9.9.9.9 ann').end(true)
  for (const address of ['1.1.1.1', '2.2.2.2']) for (let n = 0; n < 3; n++) fail(`${address} ann`)
  expect(begin('3.3.3.3 ann')).toBe(60)
  expect(attempt('9.9.9.9 ann').isTrusted).toBe(true)
  expect(attempt('3.3.3.3 bob').isTrusted).toBe(false)
})

test('an address that tries many usernames is answered late, not blocked', () => {
  const { attempt } = makeThrottle()
  const isDelayed = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => {
    const begun = attempt(`1.1.1.1 ${name}`)
    begun.end(false)
    return begun.isDelayed
  })
  expect(isDelayed).toEqual([false, false, false, false, true, true])
  expect(attempt('2.2.2.2 a').isDelayed).toBe(false)
  expect(attempt('1.1.1.1 a', 60_000).isDelayed).toBe(false)
})

test('failures of a source that has signed in before are as late as those of others', () => {
  const { attempt, fail } = makeThrottle()
  attempt('1.1.1.1 ann').end(true)
  for (const name of ['a', 'b', 'c', 'd']) fail(`1.1.1.1 ${name}`)
  expect(attempt('1.1.1.1 ann').isDelayed).toBe(true)
  expect(attempt('1.1.1.1 eve').isDelayed).toBe(true)
})

test('pending attempts are bounded per address and in total, except those of trusted sources', () => {
  const { begin, attempt } = makeThrottle()
  attempt('1.1.1.1 me').end(true)
  const pending = ['a', 'b', 'c', 'd', 'e'].map((name) => attempt(`1.1.1.1 ${name}`))
  expect(begin('1.1.1.1 f')).toBe(2)
  expect(attempt('1.1.1.1 me').isTrusted).toBe(true)
  attempt('2.2.2.2 a')
  attempt('2.2.2.2 b')
  expect(begin('3.3.3.3 a')).toBe(2)
  for (const each of pending) each.end(false)
  expect(typeof begin('1.1.1.1 f')).toBe('object')
})

test('many sources use bounded memory, and long usernames are shortened', () => {
  const { begin, fail } = makeThrottle({ maxKeys: 2, maxPerSource: 1 })
  for (const name of ['a', 'b', 'c']) fail(`1.1.1.1 ${name}`)
  expect(['c', 'b', 'a'].map((name) => typeof begin(`1.1.1.1 ${name}`))).toEqual([
    'number',
    'number',
    'object',
  ])
  const { begin: beginLong, fail: failLong } = makeThrottle({ maxPerSource: 1 })
  failLong(`1.1.1.1 ${'x'.repeat(64)}`)
  expect(beginLong(`1.1.1.1 ${'x'.repeat(16_000)}`)).toBe(60)
})
