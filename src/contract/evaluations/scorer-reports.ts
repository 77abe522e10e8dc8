import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** How far the scores of scorers agree with the labels of people on the same calls. */

const rate = z.object({
  yes: z.int(),
  count: z.int(),
  value: z.number().nullable().meta({ description: 'null without a case.' }),
  low: z.number(),
  high: z.number(),
})

const estimate = z.object({ value: z.number(), low: z.number(), high: z.number() })

const disagreement = z.object({
  call_id: z.string(),
  version: z.string(),
  score: z.number().meta({ description: '1 or 0 for yes or no.' }),
  label: z.boolean(),
})

const quality = z.object({
  version: z
    .string()
    .nullable()
    .meta({ description: 'Ref of the version of the scorer; null for all versions.' }),
  labeled: z.int(),
  matrix: z.object({
    true_positive: z.int(),
    false_positive: z.int().meta({ description: 'The scorer accepts what people reject.' }),
    false_negative: z.int().meta({ description: 'The scorer rejects what people accept.' }),
    true_negative: z.int(),
  }),
  agreement: rate,
  sensitivity: rate.meta({ description: 'Of what people accept, the share that the scorer accepts.' }),
  specificity: rate.meta({ description: 'Of what people reject, the share that the scorer rejects.' }),
  kappa: estimate
    .nullable()
    .meta({ description: 'Agreement beyond chance; null if a side always says the same.' }),
  judged: rate.meta({ description: 'All calls that the scorer scored, labeled or not.' }),
  corrected: estimate.nullable().meta({
    description: 'The share that people would accept of them; null if the scorer is no better than chance.',
  }),
  labels_needed: z
    .int()
    .meta({ description: 'More labels that make the interval of the agreement ± 5 points.' }),
})

const calibrationBin = z.object({ from: z.number(), to: z.number(), mean_score: z.number(), accepted: rate })

const name = z.string().min(1).max(256)
const path = z
  .string()
  .max(1_000)
  .nullish()
  .meta({ description: 'Path in the value, parts joined by dots. Default: the value itself.' })

export const scorerReportOperations = {
  scorers_checked: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/scorers',
    summary: 'List the scorers of calls, and whether people labeled calls that they scored.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({
      scorers: z.array(
        z.object({
          scorer: z.string(),
          versions: z.int(),
          judged: z.int().meta({ description: 'Calls that it scored.' }),
          labeled: z
            .int()
            .meta({ description: 'Those of them that people annotated: 0 is an unchecked scorer.' }),
          labels: z.array(z.string()).meta({ description: 'Names of the annotations of these calls.' }),
        }),
      ),
    }),
  }),
  scorer_report: operation({
    path: '/api/v1/projects/{entity}/{project}/scorers/report',
    summary: 'Compare the scores of a scorer with the labels of people on the same calls.',
    access: 'read',
    request: projectRequest({
      scorer: name.meta({ description: 'Name of the scorer.' }),
      path,
      label: name.meta({ description: 'Name of the annotation that is the label.' }),
      label_path: path,
      threshold: z
        .number()
        .nullish()
        .meta({ description: 'Numbers from here on count as yes, of scores and of labels. Default: 0.5.' }),
    }),
    response: z.object({
      overall: quality,
      versions: z.array(quality),
      calibration: z
        .object({
          bins: z.array(calibrationBin),
          brier: z.number(),
          expected_error: z.number(),
          ranking: z.number().nullable(),
        })
        .nullable()
        .meta({ description: 'Of scores from 0 to 1 that are not all 0 or 1.' }),
      disagreements: z.array(disagreement).meta({ description: 'At most 500, the newest first.' }),
    }),
  }),
}
