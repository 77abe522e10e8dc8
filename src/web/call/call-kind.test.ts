import { expect, test } from 'vitest'
import { kindFromAttributes, kindFromName } from './call-kind.ts'

test.each([
  ['{"kind":"llm","otel":{"kind":"CLIENT"}}', 'llm'],
  ['{"kind": "guardrail"}', 'guardrail'],
  ['{"weave":{"kind":"search"}}', 'retriever'],
  ['{"openinference.span.kind":"RERANKER"}', 'reranker'],
  ['{"gen_ai.operation.name":"execute_tool"}', 'tool'],
  ['{"kind":"toString"}', undefined],
  ['{"a":1}', undefined],
])('the kind of %s is %s', (attributes, kind) => {
  expect(kindFromAttributes(attributes)).toBe(kind)
})

test('the kind is found at the beginning of large attributes', () => {
  expect(kindFromAttributes(`{"kind":"mcp","text":"${'x'.repeat(100_000)}"}`)).toBe('mcp')
})

test('the name suggests a kind', () => {
  expect(kindFromName('openai.chat.completions.create')).toBe('llm')
  expect(kindFromName('openai.embeddings.create')).toBe('embedding')
  expect(kindFromName('answer')).toBe('other')
})
