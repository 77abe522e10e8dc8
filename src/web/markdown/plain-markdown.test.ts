import { expect, test } from 'vitest'
import { plainMarkdown } from './plain-markdown.ts'

test.each([
  [
    'Your **Trail running shoes** arrive on **2026-11-19**.',
    'Your Trail running shoes arrive on 2026-11-19.',
  ],
  ['*Never* go alone, 2 * 3 * 4', 'Never go alone, 2 * 3 * 4'],
  ['see [the docs](https://a.example) and `code`', 'see the docs and code'],
  ['| Step | Date | |---|---| | Packed | Monday |', 'Step Date Packed Monday'],
  ['## Title - [x] box - [ ] receipt', 'Title box receipt'],
  ['a_b_c and 1 - 2', 'a_b_c and 1 - 2'],
])('%s', (text, plain) => {
  expect(plainMarkdown(text)).toBe(plain)
})
