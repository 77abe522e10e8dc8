import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { viewCall } from './call-view.ts'
import { ownSummary } from './own-summary.ts'

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
])('what was sent comes out of what is shown, byte for byte: %s', (sent) => {
  const { summary } = viewCall({ ...row, summary: sent })
  expect(ownSummary(summary!).text).toBe(sent)
})

test.each([
  ['{"weave":{"status":"success"},"a":1}', '{"a":1}'],
  ['{"a":1, "weave": {"latency_ms":3} , "b":2}', '{"a":1 , "b":2}'],
  ['{"weave":{"mine":1.0,"status":"error"}}', '{"weave":{"mine":1.0}}'],
  ['{"a":1}', '{"a":1}'],
  ['null', 'null'],
])('what a server works out is taken away wherever it stands: %s', (shown, own) => {
  expect(ownSummary(RawJson.fromText(shown)).text).toBe(own)
})
