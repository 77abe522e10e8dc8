import { expect, test } from 'vitest'
import { keyLabels, parseKeys } from './key-binding.ts'

const caps = (keys: string): string[][] => parseKeys(keys).map((spelling) => [...keyLabels(spelling, false)])

test('a plus is both a key and the separator after mod', () => {
  expect(parseKeys('+ =')).toEqual([
    { key: '+', hasMod: false },
    { key: '=', hasMod: false },
  ])
  expect(parseKeys('d mod+Enter')).toEqual([
    { key: 'd', hasMod: false },
    { key: 'Enter', hasMod: true },
  ])
  expect(parseKeys('mod++')).toEqual([{ key: '+', hasMod: true }])
  expect(caps('+ =')).toEqual([['+'], ['=']])
})

test('a capital is shown with Shift, any other letter as on its key cap', () => {
  expect(caps('d')).toEqual([['D']])
  expect(caps('D')).toEqual([['Shift', 'D']])
  expect(caps('? ArrowUp')).toEqual([['?'], ['↑']])
  expect(caps('mod+k')).toEqual([['Ctrl', 'K']])
  expect(parseKeys('mod+k').map((spelling) => keyLabels(spelling, true))).toEqual([['⌘', 'K']])
})
