import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test('bidirectional controls and terminal escapes are shown as escapes', () => {
  expect(visibleText('\u202Egnp.exe\u202C')).toBe(String.raw`\u202egnp.exe\u202c`)
  expect(visibleText('a\u2066b\u2069\u200E\u200F\u061C')).toBe(String.raw`a\u2066b\u2069\u200e\u200f\u061c`)
  expect(visibleText('\u001B[31mred')).toBe(String.raw`\u001b[31mred`)
})

test('line breaks, tabs and all scripts are unchanged', () => {
  for (const text of ['a\n\tb', 'שלום', 'Zürich', '👩‍🤝‍👨']) expect(visibleText(text)).toBe(text)
})
