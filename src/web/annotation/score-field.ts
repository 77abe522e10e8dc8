/** The answer types of annotation specs: parsed from and written to the spec's JSON schema. */

export type ScoreField =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'options'; readonly options: readonly (string | number)[] }
  | {
      readonly kind: 'number'
      readonly isInteger: boolean
      readonly minimum: number | undefined
      readonly maximum: number | undefined
    }
  | { readonly kind: 'text'; readonly maxLength: number | undefined }
  /** Any other schema: its values are entered as JSON. */
  | { readonly kind: 'json' }

export function parseFieldSchema(schema: unknown): ScoreField {
  if (typeof schema !== 'object' || schema === null) return { kind: 'json' }
  const { type, enum: options, minimum, maximum, maxLength } = schema as Readonly<Record<string, unknown>>
  if (Array.isArray(options) && options.length > 0 && options.every(isOption)) {
    return { kind: 'options', options }
  }
  switch (type) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'string':
      return { kind: 'text', maxLength: optionalNumber(maxLength) }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: type === 'integer',
        minimum: optionalNumber(minimum),
        maximum: optionalNumber(maximum),
      }
    default:
      return { kind: 'json' }
  }
}

export function toFieldSchema(field: ScoreField): object {
  switch (field.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'options':
      return {
        type: field.options.every((option) => typeof option === 'number') ? 'number' : 'string',
        enum: field.options,
      }
    case 'number':
      return {
        type: field.isInteger ? 'integer' : 'number',
        ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
        ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
      }
    case 'text':
      return { type: 'string', ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }) }
    case 'json':
      return {}
  }
}

/** One selectable answer and its shortcut key. */
export interface Choice {
  /** JSON text. */
  readonly value: string
  readonly label: string
  readonly key: string | undefined
}

const MAX_DIGIT = 9

/** The answers to choose from; undefined for a field that is typed. */
export function fieldChoices(field: ScoreField): readonly Choice[] | undefined {
  switch (field.kind) {
    case 'boolean':
      return [
        { value: 'true', label: 'Pass', key: 'p' },
        { value: 'false', label: 'Fail', key: 'f' },
      ]
    case 'options':
      return field.options.map((option, i) => ({
        value: JSON.stringify(option),
        label: String(option),
        key: i < MAX_DIGIT ? String(i + 1) : undefined,
      }))
    case 'number': {
      const { isInteger, minimum, maximum } = field
      const isSingleDigit =
        isInteger && minimum !== undefined && maximum !== undefined && minimum >= 0 && maximum <= MAX_DIGIT
      if (!isSingleDigit || maximum < minimum) return undefined
      // The key is the digit itself, so that key 1 never means rating 0.
      return Array.from({ length: maximum - minimum + 1 }, (_, i) => String(minimum + i)).map((digit) => ({
        value: digit,
        label: digit,
        key: digit,
      }))
    }
    default:
      return undefined
  }
}

/** The choice for a shortcut key; `1` and `2` also mean pass and fail. */
export function choiceByKey(field: ScoreField, key: string): Choice | undefined {
  const choices = fieldChoices(field)
  return (
    choices?.find((choice) => choice.key === key) ??
    (field.kind === 'boolean' ? choices?.[Number(key) - 1] : undefined)
  )
}

/** Converts typed text to JSON text, or returns the reason why it is invalid. */
export function parseScoreInput(
  field: ScoreField,
  text: string,
): { readonly value: string } | { readonly reason: string } {
  const input = text.trim()
  if (field.kind === 'text') {
    const { maxLength } = field
    const isTooLong = maxLength !== undefined && Array.from(input).length > maxLength
    return isTooLong
      ? { reason: `Must be at most ${maxLength} characters` }
      : { value: JSON.stringify(input) }
  }
  if (field.kind !== 'number') return isJson(input) ? { value: input } : { reason: 'Enter valid JSON' }
  const { isInteger, minimum, maximum } = field
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(input)) return { reason: 'Enter a number' }
  const number = Number(input)
  if (isInteger && !Number.isInteger(number)) return { reason: 'Enter a whole number' }
  if (minimum !== undefined && number < minimum) return { reason: `Must be at least ${minimum}` }
  if (maximum !== undefined && number > maximum) return { reason: `Must be at most ${maximum}` }
  // Numbers keep their exact spelling: 0.50 stays 0.50.
  return { value: input }
}

/** Placeholder text with the bounds of the field. */
export function fieldHint(field: ScoreField): string {
  if (field.kind === 'json') return 'JSON'
  if (field.kind === 'text')
    return field.maxLength === undefined ? 'Text' : `Up to ${field.maxLength} characters`
  if (field.kind !== 'number') return ''
  const noun = field.isInteger ? 'Whole number' : 'Number'
  const { minimum, maximum } = field
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${noun} from ${minimum}`
  return maximum === undefined ? noun : `${noun} up to ${maximum}`
}

/** Display text of a JSON value: `Pass` instead of `true`, strings without quotes. */
export function valueText(field: ScoreField | undefined, value: string): string {
  const choice = field === undefined ? undefined : fieldChoices(field)?.find((each) => each.value === value)
  if (choice !== undefined) return choice.label
  if (value === 'true') return 'Pass'
  if (value === 'false') return 'Fail'
  return value.startsWith('"') ? (JSON.parse(value) as string) : value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isOption(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
