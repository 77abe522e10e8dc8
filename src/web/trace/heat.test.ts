import { beforeAll, describe, expect, test } from 'vitest'
import { heatLevel, heatOf, ownCosts, ownTimes, readHeatKind } from './heat.ts'
import { TraceStore } from './trace-store.ts'

beforeAll(() => {
  globalThis.requestAnimationFrame ??= ((tell: () => void) => setTimeout(tell)) as never
})

type Row = readonly [id: string, parent: string | null, from: number, to: number | undefined]

function trace(...rows: readonly Row[]): TraceStore {
  const store = new TraceStore()
  for (const [id, parent_id, startMs, endMs] of rows)
    store.put({ id, parent_id, op_name: id, name: id, startMs, endMs, hasError: false })
  return store
}

describe('the heat of a trace', () => {
  test('is the time in which nothing below ran, however much of it ran at once', () => {
    const store = trace(
      ['a', null, 0, 100],
      ['b', 'a', 10, 50],
      ['c', 'a', 20, 40],
      ['d', 'a', 40, 60],
      ['late', 'a', 90, 150],
    )
    expect(Object.fromEntries(ownTimes(store))).toEqual({ a: 40, b: 40, c: 20, d: 20, late: 60 })
  })

  test('a call that runs is as long as the trace until now', () => {
    const store = trace(['a', null, 0, undefined], ['b', 'a', 10, 50])
    expect(ownTimes(store).get('a')).toBe(10)
  })

  test('a cost counts once, whether or not callers add up what they called', () => {
    const store = trace(['a', null, 0, 9], ['b', 'a', 1, 5], ['c', 'b', 2, 3], ['d', 'a', 6, 7])
    const told = new Map([
      ['c', 0.1],
      ['d', 0.2],
    ])
    const summed = new Map([...told, ['b', 0.1], ['a', 0.1 + 0.2]] as const)
    for (const costs of [told, summed])
      expect(Object.fromEntries(ownCosts(store, costs))).toEqual({ a: 0, b: 0, c: 0.1, d: 0.2 })
    expect(ownCosts(store, new Map([...told, ['a', 1]])).get('a')).toBeCloseTo(0.7)
  })

  test('has five levels, the last for what is the most', () => {
    const heat = heatOf(
      'latency',
      new Map([
        ['none', 0],
        ['little', 1],
        ['half', 50],
        ['most', 100],
      ]),
    )
    expect(['none', 'little', 'half', 'most', 'unknown'].map((id) => heatLevel(heat, id))).toEqual([
      0, 0, 3, 4, 0,
    ])
    expect(heatLevel(heatOf('cost', new Map([['free', 0]])), 'free')).toBe(0)
  })

  test('of an address is known by name', () => {
    expect(readHeatKind('cost')).toBe('cost')
    expect(readHeatKind('latency')).toBe('latency')
    expect(readHeatKind('warm')).toBeUndefined()
  })
})
