import { expect, test } from 'vitest'
import { JsonIndex } from '../json/json-index.ts'
import { type PayloadValue, readPayload } from './payload-fields.ts'

function shown(value: PayloadValue): unknown {
  switch (value.kind) {
    case 'fields':
      return Object.fromEntries(value.fields.map((field) => [field.name, shown(field.value)]))
    case 'conversation':
      return value.messages.map(({ role }) => role)
    default:
      return `${value.kind} ${value.node.text}`.trim()
  }
}

function read(json: string): unknown {
  const value = readPayload(new JsonIndex(json))
  return value && shown(value)
}

test('texts are read under their names, numbers as they were sent', () => {
  expect(
    read(
      '{"question": "Where is\\nmy order?", "k": 1.0, "user": {"tier": "gold", "id": 12345678901234567890}}',
    ),
  ).toEqual({
    question: 'text Where is\nmy order?',
    k: 'scalar 1.0',
    user: { tier: 'text gold', id: 'scalar 12345678901234567890' },
  })
  expect(read('"Yes."')).toBe('text Yes.')
})

test('a list of roles and contents is a conversation, under any name', () => {
  expect(
    read('{"history": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}'),
  ).toEqual({
    history: ['user', 'assistant'],
  })
  // Not the members of a team.
  expect(read('{"name": "a", "team": [{"role": "owner", "name": "Ada"}]}')).toEqual({
    name: 'text a',
    team: 'json',
  })
})

test('what has no better form stays JSON', () => {
  expect(read('{"n": 1, "list": [1, 2]}')).toBeUndefined()
  expect(read('[1, 2]')).toBeUndefined()
  expect(read('{}')).toBeUndefined()
  expect(read('null')).toBeUndefined()
  expect(read('{"a": "x", "list": ["b"], "deep": {"b": {"c": {"d": "e"}}}}')).toEqual({
    a: 'text x',
    list: 'json',
    deep: { b: { c: 'json' } },
  })
})
