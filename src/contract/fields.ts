import { z } from 'zod'

/** Field schemas shared by several domains. */

/** `entity/project`: two non-empty names, no control characters, no further slash. */
export const projectId = z
  .string()
  .max(256)
  .regex(/^[^/\p{Cc}]+\/[^/\p{Cc}]+$/u, 'must have the form <entity>/<project>')
  .meta({ examples: ['acme/chatbot'] })

/** The entity or the project in a path. An encoded slash would turn it into another project id. */
export const projectIdPart = z
  .string()
  .max(254)
  .regex(/^[^/\p{Cc}]+$/u, 'must be a name without slashes')

/** Ids of calls, traces and feedback: any non-empty text of at most 256 characters. */
export const recordId = z.string().min(1).max(256)

export const nullableText = z.string().nullish()

/** ISO 8601; UTC without an offset. core/time/time.ts parses it to microseconds. */
export const datetime = z.string().meta({ format: 'date-time' })

export const limit = z.int().nullish()
export const offset = z.int().nullish()

const directionWord = z.enum(['asc', 'desc'])

/** The spec uses `order` for table rows and `direction` elsewhere; both are accepted everywhere. */
export const sortBy = z
  .array(
    z
      .object({ field: z.string(), direction: directionWord.optional(), order: directionWord.optional() })
      .transform((by) => ({ field: by.field, direction: by.direction ?? by.order ?? ('asc' as const) })),
  )
  .nullish()

export type SortBy = z.output<typeof sortBy>

export const emptyResponse = z.object({})
