import { z } from 'zod'
import { datetime, nullableText, projectId, requestTime } from '../fields.ts'

/** Fields shared by the statistics of calls and feedback. */

const aggregation = z.enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])

export type Aggregation = z.output<typeof aggregation>

/** How the values of one metric are aggregated. */
export const aggregationFields = {
  aggregations: z.array(aggregation).max(7).nullish(),
  percentiles: z
    .array(z.number().min(0).max(100))
    .max(100)
    .nullish()
    .meta({ description: 'Percentiles from 0 to 100; returned as `p95_…`.' }),
}

/** Time range and granularity of a request. */
export const windowFields = {
  project_id: projectId,
  start: requestTime,
  end: requestTime.nullish().meta({ description: 'Exclusive; default now.' }),
  granularity: z.int().min(1).nullish().meta({
    description:
      'Bucket size in seconds; by default chosen from the length of the time range. At most 10,000 buckets are returned.',
  }),
  timezone: nullableText.meta({ description: 'IANA time zone of the bucket boundaries.', default: 'UTC' }),
}

export const windowResponse = {
  start: datetime,
  end: datetime,
  granularity: z.int(),
  timezone: z.string(),
}

/** `timestamp`, `count` and a key for each metric and aggregation, such as `sum_input_tokens`. */
export const buckets = z.array(z.record(z.string(), z.unknown()))
