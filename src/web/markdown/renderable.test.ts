import { expect, test } from 'vitest'
import { isRenderable } from './renderable.ts'

test.each([
  ['a table', '| a | b |\n|---|---|\n'.repeat(100)],
  ['a rule of dashes', 'text\n\n---\n\n- item'],
  ['code', '```js\nconst a = [1, 2]\n```'],
])('%s is rendered', (_, text) => {
  expect(isRenderable(text)).toBe(true)
})

test.each([
  ['brackets', '['.repeat(5000)],
  ['quotes', '>'.repeat(100)],
  ['nested lists', '- '.repeat(100)],
  ['stars', '*a '.repeat(5000)],
])('many %s are not', (_, text) => {
  expect(isRenderable(text)).toBe(false)
})
