import { beforeAll, describe, expect, test } from 'vitest'
import { heatLevel, createHeat, selfCosts, selfTimes, parseHeatKind } from './heat.ts'
import { TraceStore } from './trace-store.ts'

beforeAll(() => {
  globalThis.requestAnimationFrame ??= ((callback: () => void) => setTimeout(callback)) as never
})

type Row = readonly [id: string, parent: string | null, from: number, to: number | undefined]

function trace(...rows: readonly Row[]): TraceStore {
  const store = new TraceStore()
  for (const [id, parent_id, startMs, endMs] of rows)
    store.put({ id, parent_id, op_name: id, name: id, startMs, endMs, hasError: false })
  return store
}

describe('heat', () => {
  test('self time excludes child time, and overlapping children count once', () => {
    const store = trace(
      ['a', null, 0, 100],
      ['b', 'a', 10, 50],
      ['c', 'a', 20, 40],
      ['d', 'a', 40, 60],
      ['late', 'a', 90, 150],
    )
    expect(Object.fromEntries(selfTimes(store))).toEqual({ a: 40, b: 40, c: 20, d: 20, late: 60 })
  })

  test('a running call lasts until the end of the trace', () => {
    const store = trace(['a', null, 0, undefined], ['b', 'a', 10, 50])
    expect(selfTimes(store).get('a')).toBe(10)
  })

  test('a cost counts once, whether or not parents include the cost of their children', () => {
    const store = trace(['a', null, 0, 9], ['b', 'a', 1, 5], ['c', 'b', 2, 3], ['d', 'a', 6, 7])
    const reported = new Map([
      ['c', 0.1],
      ['d', 0.2],
    ])
    const accumulated = new Map([...reported, ['b', 0.1], ['a', 0.1 + 0.2]] as const)
    for (const costs of [reported, accumulated])
      expect(Object.fromEntries(selfCosts(store, costs))).toEqual({ a: 0, b: 0, c: 0.1, d: 0.2 })
    expect(selfCosts(store, new Map([...reported, ['a', 1]])).get('a')).toBeCloseTo(0.7)
  })

  test('has five levels, the highest for the maximum', () => {
    const heat = createHeat(
      'latency',
      new Map([
        ['none', 0],
        ['little', 1],
        ['half', 50],
        ['max', 100],
      ]),
    )
    expect(['none', 'little', 'half', 'max', 'unknown'].map((id) => heatLevel(heat, id))).toEqual([
      0, 0, 3, 4, 0,
    ])
    expect(heatLevel(createHeat('cost', new Map([['free', 0]])), 'free')).toBe(0)
  })

  test('parses the kind from the URL', () => {
    expect(parseHeatKind('cost')).toBe('cost')
    expect(parseHeatKind('latency')).toBe('latency')
    expect(parseHeatKind('warm')).toBeUndefined()
  })
})
