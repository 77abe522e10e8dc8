import { expect, test } from 'vitest'
import { callFields, callRow } from './call-fields.ts'

const CALLS = [
  {
    id: 'a',
    inputs: '{"question": "Why?", "temperature": 1.0, "self": "x"}',
    output: '{"text": "So", "_type": 1}',
  },
  { id: 'b', inputs: '{"output": 3}', output: undefined },
]

test('inputs and output are the default columns, and names are unique', () => {
  const fields = callFields(CALLS)
  expect(fields.map(({ label, column, isDefault }) => [label, column, isDefault])).toEqual([
    ['inputs.question', 'question', true],
    ['inputs.temperature', 'temperature', true],
    ['inputs.self', 'self', false],
    ['inputs.output', 'input_output', true],
    ['output', 'output', true],
    ['output.text', 'text', false],
    ['call', 'call', false],
  ])
})

test('values keep their exact spelling, and missing values are omitted', () => {
  const columns = callFields(CALLS).map((field) => ({ field, column: field.column }))
  const toRef = (id: string): string => `ref ${id}`
  const [first, second] = CALLS.map((call) => callRow(call, columns, toRef))
  expect(first).toBe(
    '{"question": "Why?", "temperature": 1.0, "self": "x", "output": {"text": "So", "_type": 1}, "text": "So", "call": "ref a"}',
  )
  expect(second).toBe('{"input_output": 3, "call": "ref b"}')
})
