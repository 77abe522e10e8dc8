import { z } from 'zod'
import { EXPORT_CONTENT_TYPES } from '../export/export.ts'
import { recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** What reviewers gave to the calls of a queue: as a file, and how far they agree. */

const path = '/api/v1/projects/{entity}/{project}/queues/{queue_id}'

const share = z.number().nullable()

const scoreAgreement = z.object({
  score: z.string().meta({ description: 'Name of the annotation spec.' }),
  level: z.enum(['nominal', 'interval']).meta({
    description: '`interval` if all values are numbers: then close numbers disagree less than distant ones.',
  }),
  items: z.int().meta({ description: 'Number of calls that two or more reviewers scored.' }),
  reviewers: z.int().meta({ description: 'Number of reviewers of these calls.' }),
  percent_agreement: share.meta({ description: 'From 0 to 1: the share of equal pairs of values.' }),
  krippendorff_alpha: share.meta({
    description: '1: perfect agreement, 0: as by chance; null if all values are equal.',
  }),
  cohen_kappa: share.meta({ description: 'For two reviewers and nominal values, else null.' }),
})

export type ScoreAgreement = z.output<typeof scoreAgreement>

export const queueResultsOperations = {
  queue_results: operation({
    method: 'GET',
    path: `${path}/results`,
    summary:
      'Download the results of a review queue: one row per call, reviewer and score, and one for each call without any.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({
      queue_id: recordId,
      format: z
        .enum(['jsonl', 'csv'])
        .nullish()
        .transform((format) => format ?? 'jsonl'),
    }),
    response: z.unknown(),
    responseFormat: 'stream',
    contentTypes: [EXPORT_CONTENT_TYPES.jsonl, EXPORT_CONTENT_TYPES.csv],
  }),
  queue_agreement: operation({
    method: 'GET',
    path: `${path}/agreement`,
    summary: 'Read how far the reviewers of a queue agree, by score.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ queue_id: recordId }),
    response: z.object({ scores: z.array(scoreAgreement) }),
  }),
}
