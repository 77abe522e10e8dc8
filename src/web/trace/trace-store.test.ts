import { beforeAll, describe, expect, test } from 'vitest'
import { isIdle } from './idle.ts'
import { visibleRows } from './trace-rows.ts'
import { type TraceCall, TraceStore } from './trace-store.ts'

beforeAll(() => {
  globalThis.requestAnimationFrame ??= ((callback: () => void) => setTimeout(callback)) as never
})

function call(
  id: string,
  parent_id: string | null,
  startMs: number,
  more: Partial<TraceCall> = {},
): TraceCall {
  return { id, parent_id, op_name: id, name: id, startMs, endMs: startMs + 1, hasError: false, ...more }
}

function shape(store: TraceStore, collapsed: readonly string[] = []): string[] {
  return visibleRows(store, new Set(collapsed), undefined).map(
    ({ node, depth }) => `${'-'.repeat(depth)}${node.call.id}`,
  )
}

describe('a trace', () => {
  test('builds the same tree in any order of arrival', () => {
    const calls = [call('a', null, 0), call('b', 'a', 1), call('c', 'b', 2), call('d', 'a', 3)]
    const mixed = [2, 0, 3, 1].flatMap((at) => calls[at] ?? [])
    for (const order of [calls, calls.toReversed(), mixed]) {
      const store = new TraceStore()
      for (const each of order) store.put(each)
      expect(shape(store)).toEqual(['a', '-b', '--c', '-d'])
    }
  })

  test('shows calls whose parent is missing', () => {
    const store = new TraceStore()
    store.put(call('lost', 'nobody', 5))
    store.put(call('a', null, 0))
    expect(shape(store)).toEqual(['a', 'lost'])
  })

  test('collapses, and marks ancestors of errors', () => {
    const store = new TraceStore()
    store.put(call('a', null, 0))
    store.put(call('b', 'a', 1))
    store.put(call('c', 'b', 2, { hasError: true }))
    expect(shape(store, ['b'])).toEqual(['a', '-b'])
    expect(store.get('a')?.hasDescendantError).toBe(true)
    expect(store.get('c')?.hasDescendantError).toBe(false)
  })

  test('a call that ends updates the existing node', () => {
    const store = new TraceStore()
    store.put(call('a', null, 0, { endMs: undefined }))
    store.put(call('a', null, 0, { endMs: 9 }))
    expect(store.size).toBe(1)
    expect(store.get('a')?.call.endMs).toBe(9)
  })

  test('deleting a call deletes its descendants', () => {
    const store = new TraceStore()
    for (const each of [call('a', null, 0), call('b', 'a', 1), call('c', 'b', 2)]) store.put(each)
    store.remove('b')
    expect(shape(store)).toEqual(['a'])
    expect(store.size).toBe(1)
  })

  test('a reload removes deleted calls', () => {
    const store = new TraceStore()
    for (const each of [call('a', null, 0), call('b', 'a', 1), call('c', 'a', 2)]) store.put(each)
    store.markComplete(new Set(['a', 'c']))
    expect(shape(store)).toEqual(['a', '-c'])
  })

  test('is idle when no call is running and nothing has changed for ten minutes', () => {
    const minute = 60_000
    const store = new TraceStore()
    expect(isIdle(store, 0, 60 * minute)).toBe(false)
    store.put(call('a', null, 0, { endMs: undefined }))
    expect(isIdle(store, 0, 60 * minute)).toBe(false)
    store.put(call('a', null, 0, { endMs: minute }))
    expect(isIdle(store, 0, 10 * minute)).toBe(false)
    expect(isIdle(store, 0, 60 * minute)).toBe(true)
    expect(isIdle(store, 55 * minute, 60 * minute)).toBe(false)
  })

  test('builds a tree of 50,000 calls within two seconds', () => {
    const store = new TraceStore()
    const began = performance.now()
    store.put(call('0', null, 0))
    for (let i = 1; i < 50_000; i++) store.put(call(String(i), String(Math.floor(i / 8)), i))
    expect(visibleRows(store, new Set(), undefined)).toHaveLength(50_000)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
