import { expect, it } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { entries, find, item, items, stringOf } from './navigate.ts'

const raw = RawJson.fromText(' { "a" : 1.0 , "b":[ 12345678901234567890, "x\\u00e9" ,{}],"a":2.50 } ')

it('hands out parts with their numbers as they were written', () => {
  expect(entries(raw).map(([key, value]) => [key, value.text])).toEqual([
    ['a', '1.0'],
    ['b', '[ 12345678901234567890, "x\\u00e9" ,{}]'],
    ['a', '2.50'],
  ])
})

it('takes the last of a repeated key', () => {
  expect(find(raw, 'a')?.text).toBe('2.50')
  expect(find(raw, 'c')).toBeUndefined()
})

it('steps into arrays', () => {
  const list = find(raw, 'b')!
  expect(items(list)).toHaveLength(3)
  expect(item(list, 0)?.text).toBe('12345678901234567890')
  expect(stringOf(item(list, 1)!)).toBe('xé')
  expect(item(list, 3)).toBeUndefined()
  expect(item(list, -1)).toBeUndefined()
})

it('finds nothing in what has no members', () => {
  for (const text of ['1', '"a"', 'null', '[]', '{}']) {
    const value = RawJson.fromText(text)
    expect([entries(value), items(value), find(value, 'a'), item(value, 0)]).toEqual([
      [],
      [],
      undefined,
      undefined,
    ])
  }
  expect(stringOf(raw)).toBeUndefined()
})
