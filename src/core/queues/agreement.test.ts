import { describe, expect, test } from 'vitest'
import {
  cohenKappa,
  krippendorffAlpha,
  measureAgreement,
  percentAgreement,
  type Rating,
} from './agreement.ts'

/** Columns of the published tables: the values of each unit; a dot is a missing value. */
function units(...observers: readonly string[]): Rating[][] {
  const rows = observers.map((row) => row.split(' '))
  return rows[0]!.map((_, i) => rows.map((row) => row[i]!).filter((value) => value !== '.'))
}

const numeric = (texts: Rating[][]): Rating[][] => texts.map((values) => values.map(Number))

describe("Krippendorff's alpha, by the examples of its author (2011)", () => {
  test('A: binary data, two observers, no missing data', () => {
    const data = units('0 1 0 0 0 0 0 0 1 0', '1 1 1 0 0 1 0 0 0 0')
    expect(krippendorffAlpha(data, 'nominal')).toBeCloseTo(0.095, 3)
  })

  test('B: nominal data, two observers, no missing data', () => {
    const data = units('a a b b d c c c e d d a', 'b a b b b c c c e d d d')
    expect(krippendorffAlpha(data, 'nominal')).toBeCloseTo(0.692, 3)
  })

  const C = units(
    '1 2 3 3 2 1 4 1 2 . . .',
    '1 2 3 3 2 2 4 1 2 5 . 3',
    '. 3 3 3 2 3 4 2 2 5 1 .',
    '1 2 3 3 2 4 4 1 2 5 1 .',
  )

  test('C: nominal data, any number of observers, missing data', () => {
    expect(krippendorffAlpha(C, 'nominal')).toBeCloseTo(0.743, 3)
  })

  test('D: the same as interval data', () => {
    expect(krippendorffAlpha(numeric(C), 'interval')).toBeCloseTo(0.849, 3)
  })

  test('is 1 for perfect agreement, and undefined if nothing can be compared', () => {
    expect(krippendorffAlpha(units('a b c', 'a b c'), 'nominal')).toBe(1)
    expect(krippendorffAlpha(units('a a a', 'a a a'), 'nominal')).toBeNull()
    expect(krippendorffAlpha(units('a b c', '. . .'), 'nominal')).toBeNull()
    expect(krippendorffAlpha([], 'interval')).toBeNull()
  })
})

describe("Cohen's kappa", () => {
  const pairs = (counts: readonly (readonly [string, string, number])[]): [string, string][] =>
    counts.flatMap(([a, b, n]) => Array.from({ length: n }, (): [string, string] => [a, b]))

  test('of 50 grant proposals, read by two people', () => {
    const table = pairs([
      ['yes', 'yes', 20],
      ['yes', 'no', 5],
      ['no', 'yes', 10],
      ['no', 'no', 15],
    ])
    expect(cohenKappa(table)).toBeCloseTo(0.4, 10)
  })

  test('differs for equal percent agreement with different distributions', () => {
    const table = (a: number, b: number, c: number, d: number) =>
      pairs([
        ['yes', 'yes', a],
        ['yes', 'no', b],
        ['no', 'yes', c],
        ['no', 'no', d],
      ])
    expect(cohenKappa(table(45, 15, 25, 15))).toBeCloseTo(0.1304, 4)
    expect(cohenKappa(table(25, 35, 5, 35))).toBeCloseTo(0.2593, 4)
  })

  test('is undefined if both always give the same value', () => {
    expect(cohenKappa([['yes', 'yes']])).toBeNull()
    expect(cohenKappa([])).toBeNull()
  })
})

test('percent agreement is the share of equal pairs, averaged over items', () => {
  expect(percentAgreement([['a', 'a'], ['a', 'b'], ['a', 'a', 'b'], ['a']])).toBeCloseTo((1 + 0 + 1 / 3) / 3)
  expect(percentAgreement([['a']])).toBeNull()
})

test('items of a single reviewer do not count, and kappa needs exactly two reviewers', () => {
  const item = (values: Record<string, string>) => new Map(Object.entries(values))
  const two = [item({ ann: 'a', bob: 'a' }), item({ ann: 'b', bob: 'a' }), item({ cid: 'b' })]
  expect(measureAgreement(two, 'nominal')).toMatchObject({ items: 2, reviewers: 2, cohen_kappa: 0 })
  expect(measureAgreement([...two, item({ ann: 'a', cid: 'a' })], 'nominal').cohen_kappa).toBeNull()
  expect(measureAgreement(two, 'interval').cohen_kappa).toBeNull()
})
