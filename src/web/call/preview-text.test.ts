import { expect, test } from 'vitest'
import { previewText } from './preview-text.ts'

test.each([
  ['"On its way\\nto Z\\u00fcrich"', 'On its way to Zürich'],
  ['{"question": "Where is my order?"}', 'Where is my order?'],
  ['{"q": "a", "n": 1.0}', 'q: a n: 1.0'],
  ['{"q": "cut o', 'cut o'],
  ['{"q": "cut \\u00f', 'cut'],
  ['{"q": "cut \\', 'cut'],
  ['{"q": "whole", "half', 'whole'],
  ['[{"doc": 1}, {"do', '[{"doc": 1}, {"do'],
  [
    '{"model": "m", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Who \\"are\\" you?"}, {"role": "assistant", "content": null}]}',
    'user: Who "are" you?',
  ],
  ['{"messages": [{"role": "system", "content": "You answer ques', 'system: You answer ques'],
  ['{"messages": [{"role": "user", "content": [{"type": "text", "text": "Look:"}', 'user: Look:'],
  ['{"choices": [{"message": {"content": "Fine.", "role": "assistant"}}]}', 'Fine.'],
  ['{"messages": []}', '[]'],
  ['{"content": "no conversation", "n": 1}', 'content: no conversation n: 1'],
  ['12345678901234567890', '12345678901234567890'],
  ['null', ''],
  ['', ''],
])('%s', (json, text) => {
  expect(previewText(json)).toBe(text)
})
