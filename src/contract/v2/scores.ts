import { z } from 'zod'
import { nullableText, recordId } from '../fields.ts'
import { refTo } from '../objects/ref-fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryTexts } from '../query-fields.ts'
import { rawJson } from '../raw-json.ts'
import { deletedCountResponse } from './versions.ts'

/** Typed routes for the scores of evaluation runs. */

const score = z.object({
  score_id: z.string(),
  scorer: z.string(),
  value: rawJson.nullable(),
  evaluation_run_id: z.string().nullable(),
  wb_user_id: z.string().nullable(),
})

export type Score = z.output<typeof score>

export const scoresOperations = {
  score_create: operation({
    path: '/v2/{entity}/{project}/scores',
    summary: 'Record the score of a prediction.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({
      prediction_id: recordId,
      scorer: refTo('object', 'op').meta({ description: 'Ref of the scorer.' }),
      value: rawJson.nullable(),
      evaluation_run_id: recordId.nullish(),
    }),
    response: z.object({ score_id: z.string() }),
  }),
  score_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scores',
    summary: 'Stream scores as JSON lines.',
    access: 'read',
    request: projectRequest({ evaluation_run_id: nullableText, limit: queryInt, offset: queryInt }),
    response: score,
    responseFormat: 'jsonl',
  }),
  score_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scores/{score_id}',
    summary: 'Read one score.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ score_id: recordId }),
    response: score,
  }),
  score_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/scores',
    summary: 'Delete scores.',
    access: 'write',
    request: projectRequest({ score_ids: queryTexts }),
    response: deletedCountResponse,
  }),
}
