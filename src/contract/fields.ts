import { z } from 'zod'

/** Field types that several nouns share. */

/** `entity/project`: two non-empty names, no control characters, no further slash. */
export const projectId = z
  .string()
  .max(256)
  .regex(/^[^/\p{Cc}]+\/[^/\p{Cc}]+$/u, 'must have the form <entity>/<project>')
  .meta({ examples: ['acme/chatbot'] })

/** One of the two names, where a path has them apart: an encoded slash would make it another project. */
export const projectIdPart = z
  .string()
  .max(254)
  .regex(/^[^/\p{Cc}]+$/u, 'must be a name without slashes')

/** Ids of calls, traces, feedback: any non-empty text up to 256 characters. */
export const recordId = z.string().min(1).max(256)

export const nullableText = z.string().nullish()

/** ISO 8601; without an offset it is UTC. Parsed to microseconds by core/time.ts. */
export const datetime = z.string().meta({ format: 'date-time' })

export const limit = z.int().nullish()
export const offset = z.int().nullish()

const directionWord = z.enum(['asc', 'desc'])

/** The spec says `order` for table rows and `direction` elsewhere; either is taken everywhere. */
export const sortBy = z
  .array(
    z
      .object({ field: z.string(), direction: directionWord.optional(), order: directionWord.optional() })
      .transform((by) => ({ field: by.field, direction: by.direction ?? by.order ?? ('asc' as const) })),
  )
  .nullish()

export type SortBy = z.output<typeof sortBy>

export const emptyAnswer = z.object({})
