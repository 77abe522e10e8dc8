import { expect, test } from 'vitest'
import { readSpanDetails } from './span-details.ts'

test('span, events and links are read from the attributes, in their original spelling', () => {
  expect(
    readSpanDetails(
      ' {"kind":"llm", "otel": {"events": [{"name":"retry","time":"2025-11-15T00:00:00.500000Z","attributes":{"n":1.0}}, {"name":"b"}], "links": [{"trace_id":"t","call_id":"c"}]}, "otel_span": {"a": 1.0}}',
    ),
  ).toEqual({
    span: '{"a": 1.0}',
    events: [
      { name: 'retry', time: '2025-11-15T00:00:00.500000Z', attributes: '{"n":1.0}' },
      { name: 'b', time: '', attributes: undefined },
    ],
    links: [{ trace_id: 't', call_id: 'c', attributes: undefined }],
  })
})

test.each(['{}', 'null', '{"otel":1}', '{"otel":{"events":{},"links":[1]}}', ''])(
  'attributes %s have no span, events and links',
  (attributes) => {
    expect(readSpanDetails(attributes)).toMatchObject({ span: undefined, events: [], links: [] })
  },
)
