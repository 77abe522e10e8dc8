import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnNames, csvRecords, fieldJson, detectColumnKind, recordToRow, detectSeparator } from './csv.ts'
import { jsonRows } from './json-rows.ts'

describe('CSV', () => {
  test('quotes, line breaks in quotes, empty fields and a byte order mark', () => {
    const text = '\uFEFFa,b\r\n"x, ""y""\nz",\r\n\r\n1,2,3\n'
    expect([...csvRecords(text, ',')]).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', ''],
      ['1', '2', '3'],
    ])
  })

  test('an unclosed quote ends with the file', () => {
    expect([...csvRecords('a\n"b,c\nd', ',')]).toEqual([['a'], ['b,c\nd']])
  })

  test('records survive a round trip', () => {
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

  test('the separator is detected', () => {
    expect(['a,b', 'a;b', 'a\tb', 'a'].map(detectSeparator)).toEqual([',', ';', '\t', ','])
  })

  test('numbers keep their exact spelling, and only columns of JSON scalars hold them', () => {
    expect(detectColumnKind(['1.0', '', '-2e5', 'true'])).toBe('json')
    expect(detectColumnKind(['007'])).toBe('text')
    expect(detectColumnKind(['', ''])).toBe('text')
    expect(fieldJson('1.0', 'json')).toBe('1.0')
    expect(fieldJson('12345678901234567890', 'json')).toBe('12345678901234567890')
    expect(fieldJson(' {"a": 1.0} ', 'json')).toBe('{"a": 1.0}')
    expect(fieldJson('so so', 'json')).toBe('"so so"')
    expect(fieldJson('', 'json')).toBe('null')
    expect(fieldJson('1.0', 'text')).toBe('"1.0"')
  })

  test('column names are unique', () => {
    expect(columnNames(['a', '', 'a', ' a '])).toEqual(['a', 'column 2', 'a 2', 'a 3'])
    expect(recordToRow(['a', 'b'], ['x'], new Map())).toBe('{"a": "x"}')
    expect(recordToRow(['a', 'b'], ['x', '1.0', 'y'], new Map([['b', 'json']]))).toBe('{"a": "x", "b": 1.0}')
  })
})

describe('JSON', () => {
  test('one object per line keeps its exact spelling', () => {
    expect([...jsonRows('{"a": 1.0}\r\n\n {"b":2} \n')]).toEqual([{ row: '{"a": 1.0}' }, { row: '{"b":2}' }])
  })

  test('a list of objects is read', () => {
    expect([...jsonRows(' [{"a": 1.0}, 3,\n{"b": 2}]')]).toEqual([
      { row: '{"a": 1.0}' },
      { invalid: { line: 2, reason: 'not an object' } },
      { row: '{"b": 2}' },
    ])
  })

  test('invalid lines are reported', () => {
    const [first, second] = [...jsonRows('{"a": }\n[1]')]
    expect(first).toMatchObject({ invalid: { line: 1 } })
    expect(second).toEqual({ invalid: { line: 2, reason: 'not an object' } })
    expect([...jsonRows('')]).toEqual([])
  })
})
