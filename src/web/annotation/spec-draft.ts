import type { ScoreField } from './score-field.ts'

/** The form state of a score. */
export interface SpecDraft {
  readonly kind: 'boolean' | 'options' | 'number' | 'text'
  readonly options: string
  readonly isInteger: boolean
  readonly minimum: string
  readonly maximum: string
  readonly maxLength: string
}

export const EMPTY_DRAFT: SpecDraft = {
  kind: 'boolean',
  options: '',
  isInteger: true,
  minimum: '1',
  maximum: '5',
  maxLength: '',
}

/** The draft of an existing field; undefined for a schema that the form cannot show. */
export function toSpecDraft(field: ScoreField): SpecDraft | undefined {
  switch (field.kind) {
    case 'boolean':
      return EMPTY_DRAFT
    case 'options':
      return { ...EMPTY_DRAFT, kind: 'options', options: field.options.join('\n') }
    case 'number':
      return {
        ...EMPTY_DRAFT,
        kind: 'number',
        isInteger: field.isInteger,
        minimum: field.minimum === undefined ? '' : String(field.minimum),
        maximum: field.maximum === undefined ? '' : String(field.maximum),
      }
    case 'text':
      return {
        ...EMPTY_DRAFT,
        kind: 'text',
        maxLength: field.maxLength === undefined ? '' : String(field.maxLength),
      }
    case 'json':
      return undefined
  }
}

/** Options that were numbers stay numbers, so that new values equal existing ones. */
export function withOptionTypes(field: ScoreField, before: ScoreField): ScoreField {
  if (field.kind !== 'options' || before.kind !== 'options') return field
  const isNumeric = before.options.every((option) => typeof option === 'number')
  const isNumber = (option: string | number): boolean => Number.isFinite(Number(option))
  return isNumeric && field.options.every(isNumber) ? { ...field, options: field.options.map(Number) } : field
}

/** The score field of a draft, or the reason why the draft is not valid yet. */
export function parseSpecDraft(draft: SpecDraft): ScoreField | { readonly reason: string } {
  switch (draft.kind) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'options': {
      const options = draft.options
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
      if (options.length < 2) return { reason: 'Enter at least two options' }
      if (new Set(options).size < options.length) return { reason: 'Options must be unique' }
      return { kind: 'options', options }
    }
    case 'number': {
      const minimum = parseOptionalNumber(draft.minimum)
      const maximum = parseOptionalNumber(draft.maximum)
      if (Number.isNaN(minimum) || Number.isNaN(maximum))
        return { reason: 'Minimum and maximum must be numbers or empty' }
      if (minimum !== undefined && maximum !== undefined && maximum <= minimum)
        return { reason: 'Maximum must be greater than minimum' }
      return { kind: 'number', isInteger: draft.isInteger, minimum, maximum }
    }
    case 'text': {
      const maxLength = parseOptionalNumber(draft.maxLength)
      const isInvalid = maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0)
      return isInvalid
        ? { reason: 'Maximum length must be a positive whole number or empty' }
        : { kind: 'text', maxLength }
    }
  }
}

function parseOptionalNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
