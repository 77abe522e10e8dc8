import { expect, test } from 'vitest'
import { JsonText } from '../../client/browser/json-text.ts'
import { recordOf, saidIn } from './feedback-record.ts'

const record = (feedback_type: string, payload: string) =>
  recordOf({ id: '1', feedback_type, created_at: '2026-01-01T00:00:00Z', payload: new JsonText(payload) })

test('each type of feedback says what it says, and numbers keep their spelling', () => {
  expect(saidIn(record('wandb.reaction.1', '{"alias": ":x:", "emoji": "👍"}'))).toEqual({
    kind: 'reaction',
    emoji: '👍',
  })
  expect(saidIn(record('wandb.note.1', '{"note": "a \\"b\\""}'))).toEqual({ kind: 'note', note: 'a "b"' })
  expect(saidIn(record('wandb.annotation.quality', '{ "value" : 0.50 }'))).toEqual({
    kind: 'score',
    name: 'quality',
    value: '0.50',
  })
  expect(saidIn(record('wandb.runnable.judge', '{"output": {"score": 12345678901234567890}}'))).toEqual({
    kind: 'other',
    name: 'judge',
    json: '{"score": 12345678901234567890}',
  })
})

test('what does not look as its type says is shown as it is', () => {
  expect(saidIn(record('wandb.note.1', '{"note": 7}'))).toEqual({
    kind: 'other',
    name: 'wandb.note.1',
    json: '{"note": 7}',
  })
  expect(saidIn(record('my.own', '{}'))).toEqual({ kind: 'other', name: 'my.own', json: '{}' })
})
