import { expect, test } from 'vitest'
import { fieldOf, type SpecDraft } from './spec-draft.ts'

const draft = (fields: Partial<SpecDraft>): SpecDraft => ({
  kind: 'boolean',
  options: '',
  isInteger: false,
  minimum: '',
  maximum: '',
  maxLength: '',
  ...fields,
})

test('a draft becomes the field that it asks for', () => {
  expect(fieldOf(draft({}))).toEqual({ kind: 'boolean' })
  expect(fieldOf(draft({ kind: 'options', options: ' a \n\nb' }))).toEqual({
    kind: 'options',
    options: ['a', 'b'],
  })
  expect(fieldOf(draft({ kind: 'number', minimum: '0', maximum: '1' }))).toEqual({
    kind: 'number',
    isInteger: false,
    minimum: 0,
    maximum: 1,
  })
  expect(fieldOf(draft({ kind: 'text', maxLength: '20' }))).toEqual({ kind: 'text', maxLength: 20 })
})

test('a draft that is not ready says what is missing', () => {
  for (const fields of [
    { kind: 'options', options: 'one' },
    { kind: 'options', options: 'one\none' },
    { kind: 'number', minimum: 'x' },
    { kind: 'number', minimum: '5', maximum: '1' },
    { kind: 'text', maxLength: '1.5' },
  ] as const) {
    expect(fieldOf(draft(fields))).toHaveProperty('reason')
  }
})
