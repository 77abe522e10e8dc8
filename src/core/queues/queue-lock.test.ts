import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claim, currentHolder } from './queue-lock.ts'

const claim = (user_id: string, at: number, until: number): Claim => ({
  user_id,
  at: BigInt(at),
  until: BigInt(until),
})

test('the first claim in the log wins, regardless of timestamps', () => {
  expect(currentHolder([claim('ann', 5, 100), claim('bob', 4, 100)], 10n)).toEqual({
    user_id: 'ann',
    until: 100n,
  })
})

test('a claim expires, and the next one is granted', () => {
  const log = [claim('ann', 0, 100), claim('bob', 100, 200)]
  expect(currentHolder(log.slice(0, 1), 100n)).toBeUndefined()
  expect(currentHolder(log, 150n)?.user_id).toBe('bob')
})

test('a claim renewed in time is extended; a late renewal does not take the item back', () => {
  expect(
    currentHolder([claim('ann', 0, 100), claim('ann', 60, 160), claim('bob', 120, 220)], 130n)?.user_id,
  ).toBe('ann')
  expect(
    currentHolder([claim('ann', 0, 100), claim('bob', 110, 210), claim('ann', 120, 220)], 130n)?.user_id,
  ).toBe('bob')
})

test('the holder can release the item, other users cannot', () => {
  expect(currentHolder([claim('ann', 0, 100), claim('ann', 10, 10)], 11n)).toBeUndefined()
  expect(
    currentHolder([claim('ann', 0, 100), claim('ann', 10, 10), claim('bob', 11, 111)], 12n)?.user_id,
  ).toBe('bob')
  expect(currentHolder([claim('ann', 0, 100), claim('bob', 10, 10)], 11n)?.user_id).toBe('ann')
})

test('claims appended later never change the holder that an earlier reader computed', () => {
  const claims = fc.array(
    fc.record({ user: fc.constantFrom('a', 'b', 'c'), wait: fc.nat(40), seconds: fc.nat(100) }),
  )
  fc.assert(
    fc.property(claims, fc.nat(20), (rows, cut) => {
      let at = 0
      const log = rows.map(({ user, wait, seconds }) => claim(user, (at += wait), at + seconds))
      const seen = log.slice(0, cut)
      const now = seen.at(-1)?.at ?? 0n
      const holder = currentHolder(seen, now)
      // Claims appended at the same time and read later do not change the holder.
      const others = ['x', 'y'].map((user) => claim(user, Number(now), Number(now) + 50))
      if (holder !== undefined) expect(currentHolder([...seen, ...others], now)).toEqual(holder)
    }),
  )
})
