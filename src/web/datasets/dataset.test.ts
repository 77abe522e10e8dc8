import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addRows,
  draftCounts,
  emptyDraft,
  isDraftEmpty,
  setCell,
  toggleRemoved,
  draftUpdates,
} from './draft.ts'
import { rowCells, collectColumns, withCell } from './row-text.ts'

describe('rows', () => {
  const row = '{ "a": 1.0, "b" : "x\\u00fc", "c":12345678901234567890 }'

  test('values keep their exact spelling', () => {
    expect([...rowCells(row)]).toEqual([
      ['a', '1.0'],
      ['b', '"x\\u00fc"'],
      ['c', '12345678901234567890'],
    ])
    expect(rowCells('[1]').size).toBe(0)
  })

  test('setting one value keeps the spelling of the others', () => {
    expect(withCell(row, 'b', 'null')).toBe('{ "a": 1.0, "b" : null, "c":12345678901234567890 }')
    expect(withCell(row, 'd', '2')).toBe('{ "a": 1.0, "b" : "x\\u00fc", "c":12345678901234567890, "d": 2 }')
    expect(withCell('{}', 'd', '2')).toBe('{"d": 2}')
  })

  test('a value is removed with its comma', () => {
    expect(withCell(row, 'a', undefined)).toBe('{ "b" : "x\\u00fc", "c":12345678901234567890 }')
    expect(withCell(row, 'c', undefined)).toBe('{ "a": 1.0, "b" : "x\\u00fc" }')
    expect(withCell('{"a":1}', 'a', undefined)).toBe('{}')
    expect(withCell('{"a":1,"a":2,"b":3}', 'a', undefined)).toBe('{"b":3}')
  })

  test('setting or removing any value in any row has the same result as on an object', () => {
    const names = fc.constantFrom('a', 'b', 'c', '"', '__proto__', 'ü')
    const rows = fc.array(fc.tuple(names, fc.jsonValue()), { maxLength: 6 })
    const value = fc.option(
      fc.jsonValue().map((each) => JSON.stringify(each)),
      { nil: undefined },
    )
    fc.assert(
      fc.property(rows, names, value, (members, name, cell) => {
        const text = `{${members.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(' , ')}}`
        const expected = new Map(rowCells(text))
        if (cell === undefined) expected.delete(name)
        else expected.set(name, cell)
        const changed = withCell(text, name, cell)
        JSON.parse(changed)
        expect(new Map(rowCells(changed))).toEqual(expected)
      }),
    )
  })

  test('columns are in order of first appearance', () => {
    expect(collectColumns(['{"b":1}', '{"a":1,"b":2}'])).toEqual(['b', 'a'])
    const known = ['a', 'b']
    expect(collectColumns(['{"b":1}'], known)).toBe(known)
  })
})

describe('drafts', () => {
  test('a reverted change is not a change', () => {
    const original = '{"a":1}'
    const changed = setCell(emptyDraft(3), 1, original, original, 'a', '2')
    expect(draftCounts(changed)).toEqual({ changed: 1, removed: 0, added: 0 })
    expect(isDraftEmpty(setCell(changed, 1, '{"a":2}', original, 'a', '1'))).toBe(true)
  })

  test('a removed row can be restored, and an added row that is removed leaves no update', () => {
    const draft = toggleRemoved(addRows(emptyDraft(1), ['{}']), 1)
    expect(isDraftEmpty(draft)).toBe(true)
    expect(draftUpdates(draft)).toEqual([])
    expect(draftUpdates(toggleRemoved(draft, 1))).toEqual([{ append: { row: '{}' } }])
  })

  test('applying the updates in order produces the displayed table', () => {
    const edit = fc.tuple(fc.constantFrom('change', 'remove', 'add'), fc.nat(9))
    fc.assert(
      fc.property(fc.nat(8), fc.array(edit, { maxLength: 12 }), (count, edits) => {
        const base = Array.from({ length: count }, (_, i) => `{"n":${i}}`)
        let draft = emptyDraft(count)
        for (const [step, [action, at]] of edits.entries()) {
          const size = count + draft.added.length
          if (action === 'add') draft = addRows(draft, [`{"new":${step}}`])
          else if (size > 0 && action === 'remove') draft = toggleRemoved(draft, at % size)
          else if (size > 0) draft = setCell(draft, at % size, '{}', base[at % size], 'n', `"${step}"`)
        }
        const shown = [...base.map((row, i) => draft.changed.get(i) ?? row), ...draft.added].filter(
          (_, i) => !draft.removed.has(i),
        )
        const table = [...base]
        for (const update of draftUpdates(draft)) {
          if ('pop' in update) table.splice(update.pop.index, 1)
          else if ('insert' in update) table.splice(update.insert.index, 0, update.insert.row)
          else table.push(update.append.row)
        }
        expect(table).toEqual(shown)
      }),
    )
  })
})
