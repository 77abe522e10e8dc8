import { expect, test } from 'vitest'
import { answeredText, askedText } from './turn-text.ts'

test('what was asked is the likeliest text of the inputs', () => {
  expect(askedText('{"history": 3, "message": "Where is\\nmy order?"}')).toBe('Where is\nmy order?')
  expect(askedText('{"tier": "gold", "question": "Why?"}')).toBe('Why?')
  expect(askedText('{"a": 1, "b": "x"}')).toBe('a: 1 b: x')
  expect(askedText('"Hello"')).toBe('Hello')
  expect(askedText('')).toBe('')
})

test('of messages the last one of the user', () => {
  const inputs = JSON.stringify({
    messages: [
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Second' },
    ],
  })
  expect(askedText(inputs)).toBe('Second')
  const output = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Done.' } }] })
  expect(answeredText(inputs, output)).toBe('Done.')
})

test('a document that was cut off still says what it can', () => {
  expect(askedText('{"message": "Where is my or')).toBe('Where is my or')
  expect(answeredText('{}', '"Half an escape \\u00')).toBe('Half an escape ')
  expect(answeredText('{}', '{"text": "Answer 3", "score": 0.05}')).toBe('Answer 3')
  expect(answeredText('{"messages": [{"role": "user", "content": "cut of', 'null')).toBe('')
})
