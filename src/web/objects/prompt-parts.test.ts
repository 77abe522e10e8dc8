import { expect, test } from 'vitest'
import { promptParts } from './prompt-parts.ts'

test('messages of a prompt are compared as the text that was written, each by itself', () => {
  const val =
    '{"name": null, "version": 1.0, "messages": [{"role": "system", "content": "Be kind.\\nBe brief."}, {"role": "user", "content": "{question}"}]}'
  expect(promptParts(val)).toEqual([
    { title: 'Message 1: system', text: 'Be kind.\nBe brief.' },
    { title: 'Message 2: user', text: '{question}' },
    { title: 'Other members', text: '{\n  "name": null,\n  "version": 1.0\n}' },
  ])
})

test('a prompt of one text is that text, and any other value is compared as JSON', () => {
  expect(promptParts('{"content": "Judge {a}"}')?.[0]).toEqual({ title: 'Prompt', text: 'Judge {a}' })
  expect(promptParts('{"name": "a"}')).toBeUndefined()
})
