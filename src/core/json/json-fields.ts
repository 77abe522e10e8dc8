/**
 * Extracted JSON fields: the short scalar values of a document by path, as the text that the query language
 * compares. They are extracted at insert, so that a filter on `inputs.model` need not read the inputs of a million
 * calls. A value that is not extracted leaves a marker at its path, which tells a query to read the document
 * itself. A path with neither value nor marker does not exist in the document.
 */
export interface JsonField {
  readonly path: string
  /** `=` followed by the text, so that an empty string differs from no value; or one of the markers. */
  readonly value: string
}

/** Marks an object or a long value: its own text is in the document only. Fields below it are extracted. */
export const VALUE_NOT_EXTRACTED = '.'
/** Marks a value that was not extracted with anything below it: an array, or a document with too many fields. */
export const SUBTREE_NOT_EXTRACTED = '*'

/** With its quotes, as sent. */
export const MAX_TEXT_BYTES = 200
/** A document with more fields is not extracted. */
export const MAX_FIELDS = 64
/** Nor one with more members than this, which counts those without a value. */
export const MAX_MEMBERS = 1_024
export const MAX_DEPTH = 6

/** Numbers that ClickHouse and JavaScript format alike: no exponent, no more digits than a double has. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** Documents with longer keys are not extracted. */
export const MAX_KEY_UNITS = 200

/** Joins parts with dots. Dots within parts and characters that are special in column names are percent-encoded. */
export function encodePath(parts: readonly string[]): string {
  return parts.map(encodePathPart).join('.')
}

export function encodePathPart(part: string): string {
  return part.replace(SPECIAL, percentEncode)
}

// eslint-disable-next-line no-control-regex
const SPECIAL = /[%.\\'"`\u0000-\u001f\u007f]/g

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** The number as ClickHouse formats it: `5.0` is 5. Undefined if the formats might differ. */
export function plainNumber(text: string): string | undefined {
  if (!PLAIN_NUMBER.test(text)) return undefined
  const value = Number(text)
  if (Object.is(value, -0) || (value !== 0 && Math.abs(value) < 0.001)) return undefined
  return String(value)
}
