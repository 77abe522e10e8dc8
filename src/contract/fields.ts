import { z } from 'zod'
import { MAX_ID_CHARACTERS, MAX_PROJECT_ID_CHARACTERS } from './limits.ts'
import { fieldName, fieldPath, type QueryFields } from './query.ts'
import { MAX_UNIX_SECONDS, parseStorableTime, unixToStorableTime } from './time.ts'

/** Field schemas shared by several domains. */

/**
 * Control characters in a character class. Patterns are published in the OpenAPI document, so they use only what the
 * regex engines of all JSON Schema validators read: no `\p{Cc}`, no flags.
 */
export const CONTROL_CHARACTERS = String.raw`\x00-\x1f\x7f-\x9f`

const NAME = `[^/${CONTROL_CHARACTERS}]+`

/** `entity/project`: two non-empty names, no control characters, no further slash. */
export const projectId = z
  .string()
  .max(MAX_PROJECT_ID_CHARACTERS)
  .regex(new RegExp(`^${NAME}/${NAME}$`), 'must have the form <entity>/<project>')
  .meta({ description: '`<entity>/<project>`.', examples: ['acme/chatbot'] })

/** The entity or the project in a path. An encoded slash would turn it into another project id. */
export const projectIdPart = z
  .string()
  .max(254)
  .regex(new RegExp(`^${NAME}$`), 'must be a name without slashes')

/** Ids of calls, traces and feedback: any non-empty text. */
export const recordId = z.string().min(1).max(MAX_ID_CHARACTERS)

export const nullableText = z.string().nullish()

/** ISO 8601; UTC without an offset. core/time/time.ts parses it to microseconds. */
export const datetime = z.string().meta({ format: 'date-time' })

/** ClickHouse stores the years 1900 to 2299 exactly. */
export const TIME_ERROR = 'must be an ISO 8601 date or time from 1900 to 2299'
const YEARS = String.raw`^\s*(?:19|2[0-2])[0-9]{2}-`

/** A datetime of a request. */
export const requestTime = z
  .string()
  .refine((text) => parseStorableTime(text) !== undefined, TIME_ERROR)
  .meta({ format: 'date-time', pattern: YEARS })

const unixTime = z
  .number()
  .refine((value) => unixToStorableTime(value) !== undefined, TIME_ERROR)
  .meta({
    description: 'Unix seconds; milliseconds beyond 2e10.',
    anyOf: [
      { minimum: -2_208_988_800, maximum: 10_413_791_999 },
      { exclusiveMinimum: MAX_UNIX_SECONDS, maximum: 10_413_791_999_999 },
      { minimum: -2_208_988_800_000, exclusiveMaximum: -MAX_UNIX_SECONDS },
    ],
  })

/** A datetime, or a number, which Python clients may send and Pydantic accepts. */
export const requestTimeOrNumber = z.union([requestTime, unixTime], TIME_ERROR)

export const limit = z.int().min(0).nullish()
export const offset = z.int().min(0).nullish()

const direction = z.enum(['asc', 'desc']).optional()

/** Table rows have `order` and other lists `direction`. Both are accepted everywhere; `order` wins (docs/specification.md, 14.10). */
export const sortDirection = {
  direction,
  order: direction.meta({ description: 'Alias of `direction`; wins.' }),
}

type Direction = z.output<typeof direction>

export function withDirection<Sort extends { direction?: Direction; order?: Direction }>({
  order,
  ...sort
}: Sort) {
  return { ...sort, direction: order ?? sort.direction ?? ('asc' as const) }
}

function sortList<Field extends string>(field: z.ZodType<Field, Field>) {
  return z.array(z.object({ field, ...sortDirection }).transform(withDirection)).nullish()
}

/** Sorts by paths into documents. */
export const sortByPath = sortList(fieldPath)

/** For resources with a query language. The store resolves the names. */
export function sortByFields(fields: QueryFields) {
  return sortList(fieldName(fields))
}

/** For resources that can be sorted by few fields. */
export function sortByOneOf<const Field extends string>(...fields: Field[]) {
  return sortList(z.enum(fields, `must be ${fields.join(' or ')}`))
}

export type SortBy = z.output<typeof sortByPath>

export const emptyResponse = z.object({})
