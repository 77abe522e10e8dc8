import { expect, test } from 'vitest'
import { assistantText, userText } from './turn-text.ts'

test('the user text is the most likely text field of the inputs', () => {
  expect(userText('{"history": 3, "message": "Where is\\nmy order?"}')).toBe('Where is\nmy order?')
  expect(userText('{"tier": "gold", "question": "Why?"}')).toBe('Why?')
  expect(userText('{"a": 1, "b": "x"}')).toBe('a: 1 b: x')
  expect(userText('"Hello"')).toBe('Hello')
  expect(userText('')).toBe('')
})

test('a list of messages yields the last user message', () => {
  const inputs = JSON.stringify({
    messages: [
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Second' },
    ],
  })
  expect(userText(inputs)).toBe('Second')
  const output = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Done.' } }] })
  expect(assistantText(inputs, output)).toBe('Done.')
})

test('a truncated document yields the text before the cut', () => {
  expect(userText('{"message": "Where is my or')).toBe('Where is my or')
  expect(assistantText('{}', '"Half an escape \\u00')).toBe('Half an escape ')
  expect(assistantText('{}', '{"text": "Answer 3", "score": 0.05}')).toBe('Answer 3')
  expect(assistantText('{"messages": [{"role": "user", "content": "cut of', 'null')).toBe('')
})
