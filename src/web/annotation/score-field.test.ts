import { describe, expect, test } from 'vitest'
import {
  choiceByKey,
  fieldChoices,
  fieldHint,
  parseFieldSchema,
  parseScoreInput,
  toFieldSchema,
  valueText,
} from './score-field.ts'

describe('fields of annotation specs', () => {
  test('schemas written by Weave survive a round trip', () => {
    for (const schema of [
      { type: 'boolean' },
      { type: 'string', enum: ['good', 'bad'] },
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'number' },
      { type: 'string', maxLength: 100 },
      { type: 'string' },
    ]) {
      expect(toFieldSchema(parseFieldSchema(schema))).toEqual(schema)
    }
  })

  test('any other schema is entered as JSON', () => {
    expect(parseFieldSchema({ type: 'object', properties: {} })).toEqual({ kind: 'json' })
    expect(parseFieldSchema(null)).toEqual({ kind: 'json' })
    expect(parseFieldSchema({ enum: [{ a: 1 }] })).toEqual({ kind: 'json' })
  })

  test('shortcut keys: p and f, the number of an option, the digit of a rating', () => {
    const yesNo = parseFieldSchema({ type: 'boolean' })
    expect(['p', 'f', '1', '2', '3'].map((key) => choiceByKey(yesNo, key)?.value)).toEqual([
      'true',
      'false',
      'true',
      'false',
      undefined,
    ])
    const options = parseFieldSchema({ type: 'string', enum: ['good', 'bad'] })
    expect(['1', '2', '3', 'p'].map((key) => choiceByKey(options, key)?.value)).toEqual([
      '"good"',
      '"bad"',
      undefined,
      undefined,
    ])
    const rating = parseFieldSchema({ type: 'integer', minimum: 0, maximum: 3 })
    expect(['0', '3', '4'].map((key) => choiceByKey(rating, key)?.value)).toEqual(['0', '3', undefined])
    expect(fieldChoices(parseFieldSchema({ type: 'integer', minimum: 0, maximum: 100 }))).toBeUndefined()
  })

  test('numbers keep their exact spelling, and bounds are enforced', () => {
    const half = parseFieldSchema({ type: 'number', minimum: 0, maximum: 1 })
    expect(parseScoreInput(half, ' 0.50 ')).toEqual({ value: '0.50' })
    expect(parseScoreInput(half, '1.5')).toEqual({ reason: 'Must be at most 1' })
    expect(parseScoreInput(half, 'much')).toEqual({ reason: 'Enter a number' })
    expect(parseScoreInput(parseFieldSchema({ type: 'integer' }), '1.5')).toEqual({
      reason: 'Enter a whole number',
    })
    expect(parseScoreInput(parseFieldSchema({ type: 'string', maxLength: 2 }), '👍👍')).toEqual({
      value: '"👍👍"',
    })
    expect(parseScoreInput(parseFieldSchema({ type: 'string', maxLength: 2 }), 'abc')).toEqual({
      reason: 'Must be at most 2 characters',
    })
    expect(parseScoreInput({ kind: 'json' }, '{"a": 1.0}')).toEqual({ value: '{"a": 1.0}' })
    expect(parseScoreInput({ kind: 'json' }, '{a}')).toEqual({ reason: 'Enter valid JSON' })
  })

  test('values and bounds have display texts', () => {
    expect(valueText({ kind: 'boolean' }, 'true')).toBe('Pass')
    expect(valueText(undefined, '"a \\"b\\""')).toBe('a "b"')
    expect(valueText(undefined, '0.50')).toBe('0.50')
    expect(fieldHint(parseFieldSchema({ type: 'integer', minimum: 0, maximum: 100 }))).toBe(
      'Whole number from 0 to 100',
    )
  })
})
