import { z } from 'zod'
import { recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** The comparison of two runs of an evaluation: per score, how far they differ and whether that may be chance. */

const interval = z
  .object({ low: z.number(), high: z.number() })
  .meta({ description: '95 % of such intervals contain the true value.' })

const share = z.number().meta({ description: 'From 0 to 1.' })

const scoreNames = z.array(z.string().min(1).max(1_000)).max(100)

const trials = z.object({
  count: z.int().meta({ description: 'Trials per example, of the example with most of them.' }),
  flaky: z.int().meta({ description: 'Examples whose trials differ.' }),
  pass_at_least_once: share.nullable().meta({
    description: 'pass@k: share of the examples that pass at least once in `count` trials; null for numbers.',
  }),
  pass_always: share.nullable().meta({
    description: 'pass^k: share of the examples that pass in all of `count` trials; null for numbers.',
  }),
})

const flakyExample = z.object({
  key: z.string().meta({ description: 'Digest of the dataset row.' }),
  call_id: z.string().meta({ description: 'One of its trials.' }),
  mean: z.number(),
  trials: z.int(),
})

const variance = z
  .object({
    answers: z.number().meta({ description: 'Between different answers to the same example.' }),
    judge: z
      .number()
      .nullable()
      .meta({ description: 'Between scores of the same answer; null if no answer was scored twice.' }),
    repeated_answers: z.int().meta({ description: 'Answers that were scored more than once.' }),
  })
  .meta({ description: 'Parts of the variance of the score between trials of the same example.' })

const VERDICTS = ['better', 'worse', 'no_difference', 'too_few'] as const

const metric = z.object({
  name: z.string().meta({ description: 'Scorer and path in its output, joined by dots.' }),
  is_share: z.boolean().meta({ description: 'Whether the score is yes or no, so that its mean is a share.' }),
  lower_is_better: z.boolean(),
  verdict: z.enum(VERDICTS).meta({
    description:
      '`better` or `worse` if chance is an unlikely reason, all scores of the comparison considered; `too_few` below 20 examples.',
  }),
  examples: z.int().meta({ description: 'Examples with this score in both runs. Only these count.' }),
  missing: z.int().meta({ description: 'Examples of one of the runs without this score in the other.' }),
  baseline: z.number(),
  run: z.number(),
  difference: z.number().meta({ description: '`run` minus `baseline`.' }),
  interval,
  joint_interval: interval.meta({
    description:
      'Wider: 95 % of the comparisons have no score at all whose interval lacks the true difference.',
  }),
  run_interval: interval.meta({ description: 'Of `run`.' }),
  p: z.number().meta({ description: 'Probability of a difference as large if both are equally good.' }),
  p_exact: z.number().nullable().meta({ description: "McNemar's exact test; null for numbers." }),
  p_adjusted: z.number().meta({ description: '`p`, corrected for the number of scores (Holm).' }),
  method: z.enum(['mcnemar', 'permutation']),
  detectable: z
    .number()
    .meta({ description: 'The smallest true difference that this many examples show in 80 % of the cases.' }),
  examples_needed: z
    .int()
    .nullable()
    .meta({ description: 'Examples that would show a difference as found in 80 % of the cases.' }),
  improved: z.int(),
  regressed: z.int(),
  unchanged: z.int(),
  trials: z
    .object({ baseline: trials, run: trials })
    .nullable()
    .meta({ description: 'null for single trials.' }),
  flaky_examples: z
    .array(flakyExample)
    .meta({ description: 'Of the run; at most 50, the least certain first.' }),
  variance: variance.nullable(),
})

export type MetricComparison = z.output<typeof metric>

export const comparison = z.object({
  baseline: z.string(),
  run: z.string(),
  examples: z.object({ baseline: z.int(), run: z.int(), both: z.int() }),
  metrics: z.array(metric),
})

export type RunComparison = z.output<typeof comparison>

export const evaluationComparisonOperations = {
  evaluation_compare: operation({
    path: '/api/v1/projects/{entity}/{project}/evaluations/compare',
    summary: 'Compare two evaluation runs example by example, with intervals and tests.',
    access: 'read',
    errors: ['not_found', 'unprocessable'],
    request: projectRequest({
      baseline: recordId.meta({ description: 'Call id of the run to compare with.' }),
      run: recordId.meta({ description: 'Call id of the run.' }),
      lower_is_better: scoreNames.nullish().meta({ description: 'Names of scores of which less is better.' }),
      include_variance: z
        .boolean()
        .nullish()
        .meta({ description: 'Also split the variance between trials. Default false.' }),
    }),
    response: comparison,
  }),
}
