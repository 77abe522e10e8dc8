import { expect, test } from 'vitest'
import { diffLines } from './line-diff.ts'
import { hasStableDifference, maskVolatile } from './volatile.ts'

test.each([
  ['the id of a completion', '"id": "chatcmpl-9XkQ2bV71Lw0aZ"', '"id": "chatcmpl-A1b2C3d4E5f6G7"'],
  ['the id of a tool call', '"tool_call_id": "call_9f3kQ2bV71"', '"tool_call_id": "call_A1b2C3d4E5"'],
  ['a camel-case id', '"requestId":"8c1d2e3f4a5b"', '"requestId":"1b2c3d4e5f60"'],
  ['a fingerprint', '"system_fingerprint": "fp_44709d6fcb"', '"system_fingerprint": "fp_0aa8d3e21b"'],
  [
    'a UUID in a text',
    '"text": "request 0198a8a7-4e6c-7c3a-9d61-3a5cf1e8a001 done"',
    '"text": "request 0198a8a7-4e6c-7c3a-9d61-3a5cf1e8b992 done"',
  ],
  ['a Unix time', '"created": 1767225600', '"created": 1767225988'],
  ['a timestamp', '"started_at": "2026-11-16T19:53:03.5Z"', '"started_at": "2026-11-17T08:00:00Z"'],
  ['a latency', '"model_latency": 0.2368', '"model_latency": 0.1383'],
  ['a duration', '"durationMs":12', '"durationMs":3012'],
  ['a memory address', '"repr": "<Model at 0x7f3a12bc>"', '"repr": "<Model at 0x7f3a99ff>"'],
])('%s is not a difference', (_, a, b) => {
  expect(maskVolatile(a)).toBe(maskVolatile(b))
})

test.each([
  ['the id of an order', '"order_id": "A-1042"', '"order_id": "A-1077"'],
  ['the id of a model', '"model_id": "claude-sonnet-4-5"', '"model_id": "claude-opus-4-5"'],
  ['a date', '"arrives": "2026-11-19"', '"arrives": "2026-11-21"'],
  ['a count', '"created": 3', '"created": 4'],
  ['an op name', '"name": "run_program"', '"name": "run_evaluation"'],
  ['a number', '"total": 129.0', '"total": 349.5'],
  [
    'the version of an object',
    '"self": "weave:///a/b/object/m:AbC1"',
    '"self": "weave:///a/b/object/m:XyZ2"',
  ],
])('%s is a difference', (_, a, b) => {
  expect(maskVolatile(a)).not.toBe(maskVolatile(b))
})

test('truncated texts are compared where both are complete', () => {
  const text = (id: string, reply: string): string =>
    `{"id": "${id}", "reply": "${reply}${'word '.repeat(100)}"}`.slice(0, 300)
  expect(hasStableDifference(text('chatcmpl-1', 'yes '), text('chatcmpl-A1b2C3d4E5f6', 'yes '), 300)).toBe(
    true,
  )
  expect(
    hasStableDifference(text('chatcmpl-9XkQ2bV7', 'yes '), text('chatcmpl-A1b2C3d4E5f6', 'yes '), 300),
  ).toBe(false)
  expect(
    hasStableDifference(text('chatcmpl-9XkQ2bV7', 'yes '), text('chatcmpl-A1b2C3d4E5f6', 'no '), 300),
  ).toBe(true)
})

test('lines that only differ in volatile values stay as they are', () => {
  const diff = diffLines(
    '"id": "msg_A1b2C3d4E5"\n"text": "a"',
    '"id": "msg_Z9y8X7w6V5"\n"text": "b"',
    maskVolatile,
  )
  expect(diff.rows.map(({ isUnchanged }) => isUnchanged)).toEqual([true, false])
  expect([diff.left[0], diff.right[0]]).toEqual(['"id": "msg_A1b2C3d4E5"', '"id": "msg_Z9y8X7w6V5"'])
})
