import { z } from 'zod'

/** Fields of a query string: every value is text, and a list repeats its parameter. */

/** A limit or an offset. */
export const queryInt = z
  .preprocess((text) => (isInteger(text) ? Number(text) : text), z.int().min(0))
  .nullish()
  .meta({ type: 'integer' })

function isInteger(text: unknown): boolean {
  return typeof text === 'string' && /^-?\d{1,16}$/.test(text)
}

/** One or more strings. */
export const queryTexts = z.preprocess((text) => (typeof text === 'string' ? [text] : text), texts())

/** Strings without commas, either repeated or separated by commas; clients do both. */
export const queryList = z.preprocess(
  (text) => (typeof text === 'string' || Array.isArray(text) ? [text].flat().flatMap(splitText) : text),
  texts(),
)

function texts() {
  return z.array(z.string().min(1).max(4096)).min(1)
}

function splitText(text: unknown): unknown[] {
  return typeof text === 'string' ? text.split(',') : [text]
}

/** `true` or `false`. */
export const queryFlag = z.preprocess(
  (text) => (text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text),
  z.boolean(),
)
