import { beforeAll, describe, expect, test } from 'vitest'
import { isSettled } from './idle.ts'
import { rowsOf } from './trace-rows.ts'
import { type NarrowCall, TraceStore } from './trace-store.ts'

beforeAll(() => {
  globalThis.requestAnimationFrame ??= ((tell: () => void) => setTimeout(tell)) as never
})

function call(
  id: string,
  parent_id: string | null,
  startMs: number,
  more: Partial<NarrowCall> = {},
): NarrowCall {
  return { id, parent_id, op_name: id, name: id, startMs, endMs: startMs + 1, hasError: false, ...more }
}

function shape(store: TraceStore, collapsed: readonly string[] = []): string[] {
  return rowsOf(store, new Set(collapsed), undefined).map(
    ({ node, depth }) => `${'-'.repeat(depth)}${node.call.id}`,
  )
}

describe('a trace', () => {
  test('is the same tree in whatever order its calls arrive', () => {
    const calls = [call('a', null, 0), call('b', 'a', 1), call('c', 'b', 2), call('d', 'a', 3)]
    const mixed = [2, 0, 3, 1].flatMap((at) => calls[at] ?? [])
    for (const order of [calls, calls.toReversed(), mixed]) {
      const store = new TraceStore()
      for (const each of order) store.put(each)
      expect(shape(store)).toEqual(['a', '-b', '--c', '-d'])
    }
  })

  test('shows calls whose parent never arrived', () => {
    const store = new TraceStore()
    store.put(call('lost', 'nobody', 5))
    store.put(call('a', null, 0))
    expect(shape(store)).toEqual(['a', 'lost'])
  })

  test('folds, and tells what failed below', () => {
    const store = new TraceStore()
    store.put(call('a', null, 0))
    store.put(call('b', 'a', 1))
    store.put(call('c', 'b', 2, { hasError: true }))
    expect(shape(store, ['b'])).toEqual(['a', '-b'])
    expect(store.get('a')?.hasErrorBelow).toBe(true)
    expect(store.get('c')?.hasErrorBelow).toBe(false)
  })

  test('a call that ends is the same call', () => {
    const store = new TraceStore()
    store.put(call('a', null, 0, { endMs: undefined }))
    store.put(call('a', null, 0, { endMs: 9 }))
    expect(store.size).toBe(1)
    expect(store.get('a')?.call.endMs).toBe(9)
  })

  test('what is deleted takes along what it called', () => {
    const store = new TraceStore()
    for (const each of [call('a', null, 0), call('b', 'a', 1), call('c', 'b', 2)]) store.put(each)
    store.remove('b')
    expect(shape(store)).toEqual(['a'])
    expect(store.size).toBe(1)
  })

  test('read anew, it has lost what is gone', () => {
    const store = new TraceStore()
    for (const each of [call('a', null, 0), call('b', 'a', 1), call('c', 'a', 2)]) store.put(each)
    store.noteWhole(new Set(['a', 'c']))
    expect(shape(store)).toEqual(['a', '-c'])
  })

  test('is settled when no call runs and nothing has changed for ten minutes', () => {
    const minute = 60_000
    const store = new TraceStore()
    expect(isSettled(store, 0, 60 * minute)).toBe(false)
    store.put(call('a', null, 0, { endMs: undefined }))
    expect(isSettled(store, 0, 60 * minute)).toBe(false)
    store.put(call('a', null, 0, { endMs: minute }))
    expect(isSettled(store, 0, 10 * minute)).toBe(false)
    expect(isSettled(store, 0, 60 * minute)).toBe(true)
    expect(isSettled(store, 55 * minute, 60 * minute)).toBe(false)
  })

  test('50,000 calls are a tree within a moment', () => {
    const store = new TraceStore()
    const began = performance.now()
    store.put(call('0', null, 0))
    for (let i = 1; i < 50_000; i++) store.put(call(String(i), String(Math.floor(i / 8)), i))
    expect(rowsOf(store, new Set(), undefined)).toHaveLength(50_000)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
