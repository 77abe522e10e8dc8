import { describe, expect, test } from 'vitest'
import {
  choiceByKey,
  choicesOf,
  fieldHint,
  readField,
  readWritten,
  schemaOf,
  valueText,
} from './score-field.ts'

describe('fields of annotation specs', () => {
  test('schemas as Weave writes them are read, and read back as they were', () => {
    for (const schema of [
      { type: 'boolean' },
      { type: 'string', enum: ['good', 'bad'] },
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'number' },
      { type: 'string', maxLength: 100 },
      { type: 'string' },
    ]) {
      expect(schemaOf(readField(schema))).toEqual(schema)
    }
  })

  test('what has no field of its own is written as JSON', () => {
    expect(readField({ type: 'object', properties: {} })).toEqual({ kind: 'json' })
    expect(readField(null)).toEqual({ kind: 'json' })
    expect(readField({ enum: [{ a: 1 }] })).toEqual({ kind: 'json' })
  })

  test('keys choose: p and f, the number of an option, the digit of a rating', () => {
    const yesNo = readField({ type: 'boolean' })
    expect(['p', 'f', '1', '2', '3'].map((key) => choiceByKey(yesNo, key)?.value)).toEqual([
      'true',
      'false',
      'true',
      'false',
      undefined,
    ])
    const options = readField({ type: 'string', enum: ['good', 'bad'] })
    expect(['1', '2', '3', 'p'].map((key) => choiceByKey(options, key)?.value)).toEqual([
      '"good"',
      '"bad"',
      undefined,
      undefined,
    ])
    const rating = readField({ type: 'integer', minimum: 0, maximum: 3 })
    expect(['0', '3', '4'].map((key) => choiceByKey(rating, key)?.value)).toEqual(['0', '3', undefined])
    expect(choicesOf(readField({ type: 'integer', minimum: 0, maximum: 100 }))).toBeUndefined()
  })

  test('numbers keep their spelling, and bounds are kept', () => {
    const half = readField({ type: 'number', minimum: 0, maximum: 1 })
    expect(readWritten(half, ' 0.50 ')).toEqual({ value: '0.50' })
    expect(readWritten(half, '1.5')).toEqual({ reason: 'at most 1' })
    expect(readWritten(half, 'much')).toEqual({ reason: 'this is no number' })
    expect(readWritten(readField({ type: 'integer' }), '1.5')).toEqual({ reason: 'a whole number, please' })
    expect(readWritten(readField({ type: 'string', maxLength: 2 }), '👍👍')).toEqual({ value: '"👍👍"' })
    expect(readWritten(readField({ type: 'string', maxLength: 2 }), 'abc')).toEqual({
      reason: 'at most 2 characters',
    })
    expect(readWritten({ kind: 'json' }, '{"a": 1.0}')).toEqual({ value: '{"a": 1.0}' })
    expect(readWritten({ kind: 'json' }, '{a}')).toEqual({ reason: 'this is no JSON' })
  })

  test('values and bounds read like words', () => {
    expect(valueText({ kind: 'boolean' }, 'true')).toBe('Pass')
    expect(valueText(undefined, '"a \\"b\\""')).toBe('a "b"')
    expect(valueText(undefined, '0.50')).toBe('0.50')
    expect(fieldHint(readField({ type: 'integer', minimum: 0, maximum: 100 }))).toBe(
      'Whole number from 0 to 100',
    )
  })
})
