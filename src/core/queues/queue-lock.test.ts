import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claim, holderOf } from './queue-lock.ts'

const claim = (user_id: string, at: number, until: number): Claim => ({
  user_id,
  at: BigInt(at),
  until: BigInt(until),
})

test('the first claim in the log holds the item, whatever the times say', () => {
  expect(holderOf([claim('ann', 5, 100), claim('bob', 4, 100)], 10n)).toEqual({
    user_id: 'ann',
    until: 100n,
  })
})

test('a claim ends by itself, and the next one is granted', () => {
  const log = [claim('ann', 0, 100), claim('bob', 100, 200)]
  expect(holderOf(log.slice(0, 1), 100n)).toBeUndefined()
  expect(holderOf(log, 150n)?.user_id).toBe('bob')
})

test('who renews in time keeps it; who comes back too late does not take it away', () => {
  expect(holderOf([claim('ann', 0, 100), claim('ann', 60, 160), claim('bob', 120, 220)], 130n)?.user_id).toBe(
    'ann',
  )
  expect(
    holderOf([claim('ann', 0, 100), claim('bob', 110, 210), claim('ann', 120, 220)], 130n)?.user_id,
  ).toBe('bob')
})

test('who lets go frees it at once; nobody can let go of what others hold', () => {
  expect(holderOf([claim('ann', 0, 100), claim('ann', 10, 10)], 11n)).toBeUndefined()
  expect(holderOf([claim('ann', 0, 100), claim('ann', 10, 10), claim('bob', 11, 111)], 12n)?.user_id).toBe(
    'bob',
  )
  expect(holderOf([claim('ann', 0, 100), claim('bob', 10, 10)], 11n)?.user_id).toBe('ann')
})

test('whoever reads more of the log never finds that an earlier reader was wrong about the present', () => {
  const claims = fc.array(
    fc.record({ user: fc.constantFrom('a', 'b', 'c'), wait: fc.nat(40), seconds: fc.nat(100) }),
  )
  fc.assert(
    fc.property(claims, fc.nat(20), (rows, cut) => {
      let at = 0
      const log = rows.map(({ user, wait, seconds }) => claim(user, (at += wait), at + seconds))
      const seen = log.slice(0, cut)
      const now = seen.at(-1)?.at ?? 0n
      const holder = holderOf(seen, now)
      // What was appended at the same moment and is read later changes nothing for who holds it.
      const others = ['x', 'y'].map((user) => claim(user, Number(now), Number(now) + 50))
      if (holder !== undefined) expect(holderOf([...seen, ...others], now)).toEqual(holder)
    }),
  )
})
