import { z } from 'zod'
import { datetime, nullableText, projectId } from '../fields.ts'

/** What the statistics of calls and of feedback share. */

const aggregation = z.enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])

export type Aggregation = z.output<typeof aggregation>

/** How the values of one metric are put together. */
export const aggregated = {
  aggregations: z.array(aggregation).max(7).nullish(),
  percentiles: z
    .array(z.number().min(0).max(100))
    .max(100)
    .nullish()
    .meta({ description: 'from 0 to 100; `p95_…` in the answer' }),
}

/** Which time, and how finely. */
export const window = {
  project_id: projectId,
  start: datetime,
  end: datetime.nullish().meta({ description: 'not included; now when absent' }),
  granularity: z.int().min(1).nullish().meta({
    description: 'seconds; chosen by the length of the time when absent, and at least a 10,000th of it',
  }),
  timezone: nullableText.meta({ description: 'where buckets begin; an IANA name', default: 'UTC' }),
}

export const windowAnswer = {
  start: datetime,
  end: datetime,
  granularity: z.int(),
  timezone: z.string(),
}

/** `timestamp`, `count` and a key for each metric and aggregation, such as `sum_input_tokens`. */
export const buckets = z.array(z.record(z.string(), z.unknown()))
