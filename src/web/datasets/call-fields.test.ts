import { expect, test } from 'vitest'
import { fieldsOf, rowOf } from './call-fields.ts'

const CALLS = [
  {
    id: 'a',
    inputs: '{"question": "Why?", "temperature": 1.0, "self": "x"}',
    output: '{"text": "So", "_type": 1}',
  },
  { id: 'b', inputs: '{"output": 3}', output: undefined },
]

test('inputs and the output are the usual columns, and no two share a name', () => {
  const fields = fieldsOf(CALLS)
  expect(fields.map(({ label, column, isUsual }) => [label, column, isUsual])).toEqual([
    ['inputs.question', 'question', true],
    ['inputs.temperature', 'temperature', true],
    ['inputs.self', 'self', false],
    ['inputs.output', 'input_output', true],
    ['output', 'output', true],
    ['output.text', 'text', false],
    ['call', 'call', false],
  ])
})

test('values keep their spelling, and what is not there is left out', () => {
  const columns = fieldsOf(CALLS).map((field) => ({ field, column: field.column }))
  const refOf = (id: string): string => `ref ${id}`
  const [first, second] = CALLS.map((call) => rowOf(call, columns, refOf))
  expect(first).toBe(
    '{"question": "Why?", "temperature": 1.0, "self": "x", "output": {"text": "So", "_type": 1}, "text": "So", "call": "ref a"}',
  )
  expect(second).toBe('{"input_output": 3, "call": "ref b"}')
})
