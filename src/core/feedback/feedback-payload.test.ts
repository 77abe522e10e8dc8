import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { checkFeedback, type FeedbackInput } from './feedback-payload.ts'

const OBJECT = 'weave:///acme/demo/object/quality:abc'
const OP = 'weave:///acme/demo/op/grader:abc'
const CALL = 'weave:///acme/demo/call/1'

function check(feedback_type: string, payload: string, further: Partial<FeedbackInput> = {}): string {
  const refs = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null }
  return checkFeedback({
    feedback_type,
    payload: RawJson.fromText(payload),
    hasScores: false,
    ...refs,
    ...further,
  }).text
}

test('a reaction gains its shortcodes and keeps every byte the client sent', () => {
  expect(check('wandb.reaction.1', '{ "emoji" : "👍🏽", "n":1.0 }')).toBe(
    '{ "emoji" : "👍🏽", "n":1.0 ,"alias":":thumbs_up_medium_skin_tone:","detoned":"👍","detoned_alias":":thumbs_up:"}',
  )
})

test('a reaction sent back as it was returned does not grow', () => {
  const once = check('wandb.reaction.1', '{"emoji":"👍"}')
  expect(check('wandb.reaction.1', once)).toBe(once)
})

test('reactions are one emoji', () => {
  for (const payload of ['{}', '{"emoji":""}', '{"emoji":"ok"}', '{"emoji":"👍👍"}', '{"emoji":1}']) {
    expect(() => check('wandb.reaction.1', payload)).toThrow('exactly one emoji')
  }
})

test('notes have 1 to 1024 characters, an emoji counting as one', () => {
  const longest = `{"note":"${'👍'.repeat(1024)}"}`
  expect(check('wandb.note.1', longest)).toBe(longest)
  expect(() => check('wandb.note.1', `{"note":"${'a'.repeat(1025)}"}`)).toThrow('1025 characters')
  expect(() => check('wandb.note.1', '{"note":""}')).toThrow('non-empty')
  expect(() => check('wandb.note.1', '{"text":"a"}')).toThrow('non-empty')
})

test('an annotation names its spec, by a ref of the same name', () => {
  const type = 'wandb.annotation.quality'
  expect(check(type, '{"value":3}', { annotation_ref: OBJECT })).toBe('{"value":3}')
  expect(() => check(type, '{"value":3}')).toThrow('annotation_ref is required')
  expect(() => check('wandb.annotation.other', '{"value":3}', { annotation_ref: OBJECT })).toThrow(
    'named other',
  )
  expect(() => check(type, '{"value":3}', { annotation_ref: 'quality' })).toThrow('not a ref')
  expect(() => check(type, '{}', { annotation_ref: OBJECT })).toThrow('payload.value')
})

test('a runnable names its op or object, and the call of an op', () => {
  const type = 'wandb.runnable.grader'
  expect(check(type, '{"output":null}', { runnable_ref: OP, call_ref: CALL })).toBe('{"output":null}')
  expect(check('wandb.runnable.quality', '{"output":1}', { runnable_ref: OBJECT })).toBe('{"output":1}')
  expect(() => check(type, '{"output":1}', { runnable_ref: OP })).toThrow('call_ref is required')
  expect(() => check(type, '{"output":1}')).toThrow('runnable_ref is required')
  expect(() => check(type, '{}', { runnable_ref: OP, call_ref: CALL })).toThrow('payload.output')
  expect(() => check(type, '{"output":1}', { runnable_ref: OBJECT })).toThrow('named grader')
})

test('refs and scores of another type are rejected; a custom type accepts any ref', () => {
  expect(() => check('wandb.note.1', '{"note":"a"}', { runnable_ref: OP })).toThrow('is not allowed')
  expect(() => check('wandb.runnable.grader', '{"output":1}', { annotation_ref: OBJECT })).toThrow(
    'is not allowed',
  )
  expect(() => check('custom', '{}', { hasScores: true })).toThrow('scorer_*')
  expect(check('wandb.agent_monitor', '{}', { hasScores: true })).toBe('{}')
  expect(check('custom', '{}', { annotation_ref: OBJECT, runnable_ref: OP, call_ref: CALL })).toBe('{}')
})

test('a payload has at most 1 MiB', () => {
  expect(() => check('custom', `{"a":"${'x'.repeat(1024 * 1024)}"}`)).toThrow('bytes')
})
