import type { ScoreField } from './score-field.ts'

/** A score as it is being written. */
export interface SpecDraft {
  readonly kind: 'boolean' | 'options' | 'number' | 'text'
  readonly options: string
  readonly isInteger: boolean
  readonly minimum: string
  readonly maximum: string
  readonly maxLength: string
}

/** The field that a draft asks for, or what is missing. */
export function fieldOf(draft: SpecDraft): ScoreField | { readonly reason: string } {
  switch (draft.kind) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'options': {
      const options = draft.options
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
      if (options.length < 2) return { reason: 'Write at least two options' }
      if (new Set(options).size < options.length) return { reason: 'One option is there twice' }
      return { kind: 'options', options }
    }
    case 'number': {
      const minimum = numberIn(draft.minimum)
      const maximum = numberIn(draft.maximum)
      if (Number.isNaN(minimum) || Number.isNaN(maximum))
        return { reason: 'From and to are numbers, or empty' }
      if (minimum !== undefined && maximum !== undefined && maximum <= minimum)
        return { reason: 'The range ends before it begins' }
      return { kind: 'number', isInteger: draft.isInteger, minimum, maximum }
    }
    case 'text': {
      const maxLength = numberIn(draft.maxLength)
      const isWrong = maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0)
      return isWrong ? { reason: 'The length is a whole number, or empty' } : { kind: 'text', maxLength }
    }
  }
}

function numberIn(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
