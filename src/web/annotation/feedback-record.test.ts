import { expect, test } from 'vitest'
import { JsonText } from '../../client/browser/json-text.ts'
import { toFeedbackRecord, feedbackContent } from './feedback-record.ts'

const record = (feedback_type: string, payload: string) =>
  toFeedbackRecord({
    id: '1',
    feedback_type,
    created_at: '2026-01-01T00:00:00Z',
    payload: new JsonText(payload),
  })

test('each feedback type is parsed, and numbers keep their exact spelling', () => {
  expect(feedbackContent(record('wandb.reaction.1', '{"alias": ":x:", "emoji": "👍"}'))).toEqual({
    kind: 'reaction',
    emoji: '👍',
  })
  expect(feedbackContent(record('wandb.note.1', '{"note": "a \\"b\\""}'))).toEqual({
    kind: 'note',
    note: 'a "b"',
  })
  expect(feedbackContent(record('wandb.annotation.quality', '{ "value" : 0.50 }'))).toEqual({
    kind: 'score',
    name: 'quality',
    value: '0.50',
  })
  expect(
    feedbackContent(record('wandb.runnable.judge', '{"output": {"score": 12345678901234567890}}')),
  ).toEqual({
    kind: 'other',
    name: 'judge',
    json: '{"score": 12345678901234567890}',
  })
})

test('a payload that does not match its type is shown as raw JSON', () => {
  expect(feedbackContent(record('wandb.note.1', '{"note": 7}'))).toEqual({
    kind: 'other',
    name: 'wandb.note.1',
    json: '{"note": 7}',
  })
  expect(feedbackContent(record('my.own', '{}'))).toEqual({ kind: 'other', name: 'my.own', json: '{}' })
})
