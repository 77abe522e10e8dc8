import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collapseRows } from './collapse-rows.ts'
import { diffLines, toUnified } from './line-diff.ts'
import { prettyJson } from './pretty-json.ts'
import { diffSequences } from './sequence-diff.ts'
import { diffWords } from './word-diff.ts'

function longestCommon(a: readonly number[], b: readonly number[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const x of a) {
    const next = [0]
    for (const [j, y] of b.entries()) {
      next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function kept(items: readonly number[], changed: Uint8Array): number[] {
  return items.filter((_, i) => changed[i] === 0)
}

describe('sequences', () => {
  test('finds the longest common subsequence', () => {
    const items = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 })
    fc.assert(
      fc.property(items, items, (a, b) => {
        const { removed, added } = diffSequences(Int32Array.from(a), Int32Array.from(b))
        expect(kept(a, removed)).toEqual(kept(b, added))
        expect(kept(a, removed).length).toBe(longestCommon(a, b))
      }),
      { numRuns: 2000 },
    )
  })

  test('compares 10,000 shuffled items quickly, without the optimal result', () => {
    const a = Array.from({ length: 10_000 }, (_, i) => i)
    const b = a.map((i) => (i * 7919) % 10_000)
    const startMs = performance.now()
    const { removed, added } = diffSequences(Int32Array.from(a), Int32Array.from(b))
    expect(performance.now() - startMs).toBeLessThan(2000)
    expect(kept(a, removed)).toEqual(kept(b, added))
    expect(kept(a, removed).length).toBeGreaterThan(10)
  })
})

describe('lines', () => {
  test('a removed line is paired with the added line', () => {
    const { rows, removedCount, addedCount } = diffLines('a\nb\nc', 'a\nx\ny\nc')
    expect(rows).toEqual([
      { left: 0, right: 0, isUnchanged: true },
      { left: 1, right: 1, isUnchanged: false },
      { left: undefined, right: 2, isUnchanged: false },
      { left: 2, right: 3, isUnchanged: true },
    ])
    expect([removedCount, addedCount]).toEqual([1, 2])
    expect(toUnified(rows).map(({ left, right }) => [left, right])).toEqual([
      [0, 0],
      [1, undefined],
      [undefined, 1],
      [undefined, 2],
      [2, 3],
    ])
  })

  test('an empty text has no lines', () => {
    expect(diffLines('', '').rows).toEqual([])
    expect(diffLines('', 'a').addedCount).toBe(1)
  })

  test('every line appears once on each side', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { rows, left, right } = diffLines(a, b)
        for (const each of [rows, toUnified(rows)]) {
          expect(each.flatMap((row) => row.left ?? [])).toEqual(left.map((_, i) => i))
          expect(each.flatMap((row) => row.right ?? [])).toEqual(right.map((_, i) => i))
        }
      }),
    )
  })

  test('unchanged lines far from a change are collapsed until expanded', () => {
    const a = Array.from({ length: 20 }, (_, i) => `line ${i}`)
    const b = a.with(10, 'other')
    const { rows } = diffLines(a.join('\n'), b.join('\n'))
    const shown = collapseRows(rows, new Set())
    expect(shown.filter(({ kind }) => kind === 'collapsed')).toEqual([
      { kind: 'collapsed', from: 0, count: 7 },
      { kind: 'collapsed', from: 14, count: 6 },
    ])
    expect(shown.filter(({ kind }) => kind === 'row').length).toBe(7)
    expect(collapseRows(rows, new Set([0])).length).toBe(14 + 1)
  })
})

describe('words', () => {
  test('marks the words that differ', () => {
    expect(diffWords('be kind and brief', 'be kind, and very brief')).toEqual({
      left: [],
      right: [
        [7, 8],
        [13, 18],
      ],
    })
  })

  test('lines with little in common have no word ranges', () => {
    expect(diffWords('one two three', 'four five three six seven eight nine')).toEqual({
      left: [],
      right: [],
    })
  })
})

describe('documents', () => {
  test('keys are sorted and numbers keep their spelling', () => {
    expect(prettyJson('{"b": 1.0, "a": [1e3, {}, []], "c": 12345678901234567890}')).toBe(
      '{\n  "a": [\n    1e3,\n    {},\n    []\n  ],\n  "b": 1.0,\n  "c": 12345678901234567890\n}',
    )
  })

  test('strings are broken at line ends only', () => {
    expect(prettyJson(String.raw`{"t": "one\ntwo \\n\n"}`)).toBe(
      ['{', String.raw`  "t": "one\n`, String.raw`    two \\n\n`, '    "', '}'].join('\n'),
    )
  })
})
