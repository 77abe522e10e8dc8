import { expect, test } from 'vitest'
import { parseDecimal } from '../costs/decimal.ts'
import { SpendLedger, toUnits, UNITS_PER_DOLLAR } from './spend-ledger.ts'

const reserve = (id: string, amount: bigint, limit = 10n) => ({ id, kind: 'reserve' as const, amount, limit })
const settle = (id: string, amount: bigint) => ({ id, kind: 'settle' as const, amount, limit: 0n })

test('reservations are granted in the order of the log, up to the budget', () => {
  const ledger = new SpendLedger()
  for (const entry of [reserve('a', 6n), reserve('b', 5n), reserve('c', 4n), reserve('d', 1n)])
    ledger.add(entry)
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => ledger.isGranted(id))).toEqual([
    true,
    false,
    true,
    false,
    undefined,
  ])
  ledger.add(settle('a', 2n))
  ledger.add(settle('b', 99n))
  expect([ledger.settled, ledger.reserved, ledger.total]).toEqual([2n, 4n, 6n])
  ledger.add(reserve('f', 4n))
  ledger.add(reserve('g', 1n))
  expect([ledger.isGranted('f'), ledger.isGranted('g')]).toEqual([true, false])
})

test('an entry that was inserted twice counts once, and a request may cost more than it reserved', () => {
  const ledger = new SpendLedger()
  for (const entry of [
    reserve('a', 3n),
    reserve('a', 3n),
    settle('a', 12n),
    settle('a', 12n),
    reserve('a', 3n),
  ])
    ledger.add(entry)
  expect(ledger.total).toBe(12n)
  ledger.add(reserve('b', 0n))
  expect(ledger.isGranted('b')).toBe(false)
})

test('decimals become whole units, rounded up', () => {
  expect(toUnits(parseDecimal('1')!)).toBe(UNITS_PER_DOLLAR)
  expect(toUnits(parseDecimal('1.5e-7')!)).toBe(150_000n)
  expect(toUnits(parseDecimal('1e-13')!)).toBe(1n)
  expect(toUnits(parseDecimal('0')!)).toBe(0n)
})
