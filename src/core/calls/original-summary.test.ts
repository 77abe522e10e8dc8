import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { viewCall } from './call-view.ts'
import { originalSummary } from './original-summary.ts'

const row = {
  id: 'a',
  project_id: 'e/p',
  op_name: 'op',
  trace_id: 't',
  started_at: '2026-01-01T00:00:00.000000Z',
}

test.each([
  '{}',
  '{ }',
  '{"usage": {"m": {"total_tokens": 1.0}}}',
  '{ "a" :1 , "b":[1, 2] }',
  '{"a":1,"a":2}',
])('the summary that was sent is restored byte for byte: %s', (sent) => {
  const { summary } = viewCall({ ...row, summary: sent })
  expect(originalSummary(summary!).text).toBe(sent)
})

test.each([
  ['{"weave":{"status":"success"},"a":1}', '{"a":1}'],
  ['{"a":1, "weave": {"latency_ms":3} , "b":2}', '{"a":1 , "b":2}'],
  ['{"weave":{"mine":1.0,"status":"error"}}', '{"weave":{"mine":1.0}}'],
  ['{"a":1}', '{"a":1}'],
  ['null', 'null'],
])('computed keys are removed at any position: %s', (shown, original) => {
  expect(originalSummary(RawJson.fromText(shown)).text).toBe(original)
})
