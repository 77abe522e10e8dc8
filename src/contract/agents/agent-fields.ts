import { z } from 'zod'

/** Fields shared by the requests about agents. */

export function pageLimit(max: number, value: number) {
  return z.int().min(0).max(max).nullish().meta({ default: value })
}

/** In this part of Weave's API the default direction is `desc`. */
export function sortBy<const Field extends string>(...fields: readonly Field[]) {
  const sortKey = z.object({
    field: z.enum(fields, `must be ${fields.join(' or ')}`),
    direction: z.enum(['asc', 'desc']).nullish().meta({ default: 'desc' }),
  })
  return z
    .array(
      sortKey.transform(({ field, direction }) => ({ field, direction: direction ?? ('desc' as const) })),
    )
    .nullish()
}

/** A list that Weave's API has and Heddle does not: only an empty one is accepted. */
export function unsupportedList(reason: string) {
  return z.array(z.unknown()).max(0, reason).nullish()
}

export const noCosts = z
  .literal(
    false,
    'must be false; the metrics of the project have costs by any field, such as attributes.agent.name',
  )
  .nullish()
