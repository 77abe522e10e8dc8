import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnNames, csvRecords, fieldJson, guessKind, recordRow, separatorOf } from './csv.ts'
import { jsonRows } from './json-rows.ts'

describe('CSV', () => {
  test('quotes, ends of lines in them, empty fields, a mark at the beginning', () => {
    const text = '\uFEFFa,b\r\n"x, ""y""\nz",\r\n\r\n1,2,3\n'
    expect([...csvRecords(text, ',')]).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', ''],
      ['1', '2', '3'],
    ])
  })

  test('a quote that is never closed ends with the file', () => {
    expect([...csvRecords('a\n"b,c\nd', ',')]).toEqual([['a'], ['b,c\nd']])
  })

  test('what is written is read back', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ') })
    const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 })
    fc.assert(
      fc.property(records, (rows) => {
        const text = rows
          .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
          .join('\n')
        expect([...csvRecords(text, ',')]).toEqual(rows)
      }),
    )
  })

  test('separators', () => {
    expect(['a,b', 'a;b', 'a\tb', 'a'].map(separatorOf)).toEqual([',', ';', '\t', ','])
  })

  test('numbers stay as they are spelled, and only columns of nothing else hold them', () => {
    expect(guessKind(['1.0', '', '-2e5', 'true'])).toBe('json')
    expect(guessKind(['007'])).toBe('text')
    expect(guessKind(['', ''])).toBe('text')
    expect(fieldJson('1.0', 'json')).toBe('1.0')
    expect(fieldJson('12345678901234567890', 'json')).toBe('12345678901234567890')
    expect(fieldJson(' {"a": 1.0} ', 'json')).toBe('{"a": 1.0}')
    expect(fieldJson('so so', 'json')).toBe('"so so"')
    expect(fieldJson('', 'json')).toBe('null')
    expect(fieldJson('1.0', 'text')).toBe('"1.0"')
  })

  test('no column is lost', () => {
    expect(columnNames(['a', '', 'a', ' a '])).toEqual(['a', 'column 2', 'a 2', 'a 3'])
    expect(recordRow(['a', 'b'], ['x'], new Map())).toBe('{"a": "x"}')
    expect(recordRow(['a', 'b'], ['x', '1.0', 'y'], new Map([['b', 'json']]))).toBe('{"a": "x", "b": 1.0}')
  })
})

describe('JSON', () => {
  test('one object a line, as it is spelled', () => {
    expect([...jsonRows('{"a": 1.0}\r\n\n {"b":2} \n')]).toEqual([{ row: '{"a": 1.0}' }, { row: '{"b":2}' }])
  })

  test('a list of objects', () => {
    expect([...jsonRows(' [{"a": 1.0}, 3,\n{"b": 2}]')]).toEqual([
      { row: '{"a": 1.0}' },
      { bad: { line: 2, reason: 'it is no object' } },
      { row: '{"b": 2}' },
    ])
  })

  test('lines that are no rows are told', () => {
    const [first, second] = [...jsonRows('{"a": }\n[1]')]
    expect(first).toMatchObject({ bad: { line: 1 } })
    expect(second).toEqual({ bad: { line: 2, reason: 'it is no object' } })
    expect([...jsonRows('')]).toEqual([])
  })
})
