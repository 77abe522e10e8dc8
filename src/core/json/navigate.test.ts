import { expect, it } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { entries, find, findAt, item, items, stringValue } from './navigate.ts'

const raw = RawJson.fromText(' { "a" : 1.0 , "b":[ 12345678901234567890, "x\\u00e9" ,{}],"a":2.50 } ')

it('parts keep the spelling of their numbers', () => {
  expect(entries(raw).map(([key, value]) => [key, value.text])).toEqual([
    ['a', '1.0'],
    ['b', '[ 12345678901234567890, "x\\u00e9" ,{}]'],
    ['a', '2.50'],
  ])
})

it('the last of a repeated key wins', () => {
  expect(find(raw, 'a')?.text).toBe('2.50')
  expect(find(raw, 'c')).toBeUndefined()
})

it('items of arrays are found by index', () => {
  const list = find(raw, 'b')!
  expect(items(list)).toHaveLength(3)
  expect(item(list, 0)?.text).toBe('12345678901234567890')
  expect(stringValue(item(list, 1)!)).toBe('xé')
  expect(item(list, 3)).toBeUndefined()
  expect(item(list, -1)).toBeUndefined()
})

it('a path leads through objects and arrays, and nowhere through other values', () => {
  const nested = RawJson.fromText('{"a":[{"0":1.0},[null]],"1":{"b.c":"x"}}')
  const text = (...path: string[]) => findAt(nested, path)?.text
  expect(text()).toBe(nested.text)
  expect([text('a', '0', '0'), text('a', '1', '0'), text('1', 'b.c')]).toEqual(['1.0', 'null', '"x"'])
  for (const path of [
    ['b'],
    ['a', '2'],
    ['a', '-1'],
    ['a', '01'],
    ['a', 'length'],
    ['1', 'b.c', '0'],
    ['a', '0', '0', 'x'],
  ])
    expect([path, text(...path)]).toEqual([path, undefined])
})

it('values without members have no parts', () => {
  for (const text of ['1', '"a"', 'null', '[]', '{}']) {
    const value = RawJson.fromText(text)
    expect([entries(value), items(value), find(value, 'a'), item(value, 0)]).toEqual([
      [],
      [],
      undefined,
      undefined,
    ])
  }
  expect(stringValue(raw)).toBeUndefined()
})
