import { expect, test } from 'vitest'
import { capsOf, readKeys } from './key-spelling.ts'

const caps = (keys: string): string[][] => readKeys(keys).map((spelling) => [...capsOf(spelling, false)])

test('a plus is a key of its own, and what joins others', () => {
  expect(readKeys('+ =')).toEqual([
    { key: '+', hasMod: false },
    { key: '=', hasMod: false },
  ])
  expect(readKeys('d mod+Enter')).toEqual([
    { key: 'd', hasMod: false },
    { key: 'Enter', hasMod: true },
  ])
  expect(readKeys('mod++')).toEqual([{ key: '+', hasMod: true }])
  expect(caps('+ =')).toEqual([['+'], ['=']])
})

test('a capital is shown with Shift, any other letter as it stands on its key', () => {
  expect(caps('d')).toEqual([['D']])
  expect(caps('D')).toEqual([['Shift', 'D']])
  expect(caps('? ArrowUp')).toEqual([['?'], ['↑']])
  expect(caps('mod+k')).toEqual([['Ctrl', 'K']])
  expect(readKeys('mod+k').map((spelling) => capsOf(spelling, true))).toEqual([['⌘', 'K']])
})
