import { expect, test } from 'vitest'
import { parseSpecDraft, type SpecDraft, toSpecDraft, withOptionTypes } from './spec-draft.ts'

const draft = (fields: Partial<SpecDraft>): SpecDraft => ({
  kind: 'boolean',
  options: '',
  isInteger: false,
  minimum: '',
  maximum: '',
  maxLength: '',
  ...fields,
})

test('a valid draft becomes a score field', () => {
  expect(parseSpecDraft(draft({}))).toEqual({ kind: 'boolean' })
  expect(parseSpecDraft(draft({ kind: 'options', options: ' a \n\nb' }))).toEqual({
    kind: 'options',
    options: ['a', 'b'],
  })
  expect(parseSpecDraft(draft({ kind: 'number', minimum: '0', maximum: '1' }))).toEqual({
    kind: 'number',
    isInteger: false,
    minimum: 0,
    maximum: 1,
  })
  expect(parseSpecDraft(draft({ kind: 'text', maxLength: '20' }))).toEqual({ kind: 'text', maxLength: 20 })
})

test('an invalid draft returns a reason', () => {
  for (const fields of [
    { kind: 'options', options: 'one' },
    { kind: 'options', options: 'one\none' },
    { kind: 'number', minimum: 'x' },
    { kind: 'number', minimum: '5', maximum: '1' },
    { kind: 'text', maxLength: '1.5' },
  ] as const) {
    expect(parseSpecDraft(draft(fields))).toHaveProperty('reason')
  }
})

test('the draft of a field becomes the same field', () => {
  const fields = [
    { kind: 'boolean' },
    { kind: 'options', options: ['kind', 'cold'] },
    { kind: 'number', isInteger: false, minimum: 0.5, maximum: undefined },
    { kind: 'text', maxLength: 12 },
  ] as const
  for (const field of fields) expect(parseSpecDraft(toSpecDraft(field) ?? draft({}))).toEqual(field)
  expect(toSpecDraft({ kind: 'json' })).toBeUndefined()
})

test('options that were numbers stay numbers, unless one is not a number', () => {
  const before = { kind: 'options', options: [1, 2] } as const
  const edited = (options: readonly string[]) => withOptionTypes({ kind: 'options', options }, before)
  expect(edited(['1', '2', '3'])).toEqual({ kind: 'options', options: [1, 2, 3] })
  expect(edited(['1', 'many'])).toEqual({ kind: 'options', options: ['1', 'many'] })
})
