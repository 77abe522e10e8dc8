import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldRows } from './fold-rows.ts'
import { diffLines, unified } from './line-diff.ts'
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
  test('what is kept is the same on both sides, and as long as can be', () => {
    const items = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 })
    fc.assert(
      fc.property(items, items, (a, b) => {
        const { gone, added } = diffSequences(Int32Array.from(a), Int32Array.from(b))
        expect(kept(a, gone)).toEqual(kept(b, added))
        expect(kept(a, gone).length).toBe(longestCommon(a, b))
      }),
      { numRuns: 2000 },
    )
  })

  test('10,000 items in another order are compared at once, if not by the fewest steps', () => {
    const a = Array.from({ length: 10_000 }, (_, i) => i)
    const b = a.map((i) => (i * 7919) % 10_000)
    const began = performance.now()
    const { gone, added } = diffSequences(Int32Array.from(a), Int32Array.from(b))
    expect(performance.now() - began).toBeLessThan(2000)
    expect(kept(a, gone)).toEqual(kept(b, added))
    expect(kept(a, gone).length).toBeGreaterThan(10)
  })
})

describe('lines', () => {
  test('a line that went stands beside the one that came', () => {
    const { rows, goneCount, addedCount } = diffLines('a\nb\nc', 'a\nx\ny\nc')
    expect(rows).toEqual([
      { left: 0, right: 0, isSame: true },
      { left: 1, right: 1, isSame: false },
      { left: undefined, right: 2, isSame: false },
      { left: 2, right: 3, isSame: true },
    ])
    expect([goneCount, addedCount]).toEqual([1, 2])
    expect(unified(rows).map(({ left, right }) => [left, right])).toEqual([
      [0, 0],
      [1, undefined],
      [undefined, 1],
      [undefined, 2],
      [2, 3],
    ])
  })

  test('nothing has no lines', () => {
    expect(diffLines('', '').rows).toEqual([])
    expect(diffLines('', 'a').addedCount).toBe(1)
  })

  test('every line is told once, on both sides', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { rows, left, right } = diffLines(a, b)
        for (const each of [rows, unified(rows)]) {
          expect(each.flatMap((row) => row.left ?? [])).toEqual(left.map((_, i) => i))
          expect(each.flatMap((row) => row.right ?? [])).toEqual(right.map((_, i) => i))
        }
      }),
    )
  })

  test('equal lines far from a change are folded until somebody opens them', () => {
    const a = Array.from({ length: 20 }, (_, i) => `line ${i}`)
    const b = a.with(10, 'other')
    const { rows } = diffLines(a.join('\n'), b.join('\n'))
    const shown = foldRows(rows, new Set())
    expect(shown.filter(({ kind }) => kind === 'fold')).toEqual([
      { kind: 'fold', from: 0, count: 7 },
      { kind: 'fold', from: 14, count: 6 },
    ])
    expect(shown.filter(({ kind }) => kind === 'row').length).toBe(7)
    expect(foldRows(rows, new Set([0])).length).toBe(14 + 1)
  })
})

describe('words', () => {
  test('the words that differ', () => {
    expect(diffWords('be kind and brief', 'be kind, and very brief')).toEqual({
      left: [],
      right: [
        [7, 8],
        [13, 18],
      ],
    })
  })

  test('lines with little in common have changed as a whole', () => {
    expect(diffWords('one two three', 'four five three six seven eight nine')).toEqual({
      left: [],
      right: [],
    })
  })
})

describe('documents', () => {
  test('keys are put in order and numbers stay as they are spelled', () => {
    expect(prettyJson('{"b": 1.0, "a": [1e3, {}, []], "c": 12345678901234567890}')).toBe(
      '{\n  "a": [\n    1e3,\n    {},\n    []\n  ],\n  "b": 1.0,\n  "c": 12345678901234567890\n}',
    )
  })

  test('a text is broken where its lines end, and nowhere else', () => {
    expect(prettyJson(String.raw`{"t": "one\ntwo \\n\n"}`)).toBe(
      ['{', String.raw`  "t": "one\n`, String.raw`    two \\n\n`, '    "', '}'].join('\n'),
    )
  })
})
