/** What an annotation spec asks for, read from its JSON schema, and the schema of what somebody wants to ask. */

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
  /** A schema that has no field of its own here: its values are written as JSON. */
  | { readonly kind: 'json' }

export function readField(schema: unknown): ScoreField {
  if (typeof schema !== 'object' || schema === null) return { kind: 'json' }
  const { type, enum: options, minimum, maximum, maxLength } = schema as Readonly<Record<string, unknown>>
  if (Array.isArray(options) && options.length > 0 && options.every(isOption)) {
    return { kind: 'options', options }
  }
  switch (type) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'string':
      return { kind: 'text', maxLength: numberOrNone(maxLength) }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: type === 'integer',
        minimum: numberOrNone(minimum),
        maximum: numberOrNone(maximum),
      }
    default:
      return { kind: 'json' }
  }
}

export function schemaOf(field: ScoreField): object {
  switch (field.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'options':
      return { type: 'string', enum: field.options }
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

/** One thing to choose, and the key that chooses it. */
export interface Choice {
  /** As JSON. */
  readonly value: string
  readonly label: string
  readonly key: string | undefined
}

const DIGITS = 9

/** A field that is answered by choosing; undefined for one that is written. */
export function choicesOf(field: ScoreField): readonly Choice[] | undefined {
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
        key: i < DIGITS ? String(i + 1) : undefined,
      }))
    case 'number': {
      const { isInteger, minimum, maximum } = field
      const isShort =
        isInteger && minimum !== undefined && maximum !== undefined && minimum >= 0 && maximum <= DIGITS
      if (!isShort || maximum < minimum) return undefined
      // The digit itself: nobody should have to think that 1 stands for 0.
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

/** The choice that a key means in this field; `1` and `2` also stand for pass and fail. */
export function choiceByKey(field: ScoreField, key: string): Choice | undefined {
  const choices = choicesOf(field)
  return (
    choices?.find((choice) => choice.key === key) ??
    (field.kind === 'boolean' ? choices?.[Number(key) - 1] : undefined)
  )
}

/** What was written as JSON, or why it cannot be. */
export function readWritten(
  field: ScoreField,
  text: string,
): { readonly value: string } | { readonly reason: string } {
  const written = text.trim()
  if (field.kind === 'text') {
    const { maxLength } = field
    const isLong = maxLength !== undefined && Array.from(written).length > maxLength
    return isLong ? { reason: `at most ${maxLength} characters` } : { value: JSON.stringify(written) }
  }
  if (field.kind !== 'number') return isJson(written) ? { value: written } : { reason: 'this is no JSON' }
  const { isInteger, minimum, maximum } = field
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) return { reason: 'this is no number' }
  const number = Number(written)
  if (isInteger && !Number.isInteger(number)) return { reason: 'a whole number, please' }
  if (minimum !== undefined && number < minimum) return { reason: `at least ${minimum}` }
  if (maximum !== undefined && number > maximum) return { reason: `at most ${maximum}` }
  // As it was spelled: 0.50 stays 0.50.
  return { value: written }
}

/** The bounds in words, for those who are about to write. */
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

/** A value as people read it: `Pass` rather than `true`, a text without its quotes. */
export function valueText(field: ScoreField | undefined, value: string): string {
  const choice = field === undefined ? undefined : choicesOf(field)?.find((each) => each.value === value)
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

function numberOrNone(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
