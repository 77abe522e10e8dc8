import { z } from 'zod'

/** Fields that stand behind a `?`, where everything is text and a list is one name several times. */

/** A limit or an offset. */
export const queryInt = z
  .preprocess((text) => (isInteger(text) ? Number(text) : text), z.int())
  .nullish()
  .meta({ type: 'integer' })

function isInteger(text: unknown): boolean {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text)
}

/** One or more texts. */
export const queryTexts = z.preprocess((text) => (typeof text === 'string' ? [text] : text), texts())

/** Texts that some clients write one by one and others with commas between; none of them holds a comma. */
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
