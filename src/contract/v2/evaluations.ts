import { z } from 'zod'
import { nullableText } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { rawObject } from '../raw-json.ts'
import {
  versionCreateResponse,
  deletedCountResponse,
  newName,
  versionResponse,
  versionReadRequest,
  versionsDeleteRequest,
  versionsListRequest,
} from './versions.ts'

/** Typed routes for evaluations. */

const evaluation = versionResponse.extend({
  name: z.string(),
  description: z.string().nullable(),
  dataset: z.string(),
  scorers: z.array(z.string()),
  trials: z.int(),
  evaluation_name: z.string().nullable(),
  evaluate_op: z.string(),
  predict_and_score_op: z.string(),
  summarize_op: z.string(),
})

export const evaluationsOperations = {
  evaluation_create: operation({
    path: '/v2/{entity}/{project}/evaluations',
    summary: 'Publish a version of an evaluation.',
    access: 'write',
    request: projectRequest({
      name: newName('.predict_and_score'),
      description: nullableText,
      dataset: z.string(),
      scorers: z.array(z.string()).nullish(),
      trials: z.int().nullish(),
      evaluation_name: nullableText,
      eval_attributes: rawObject.nullish(),
    }),
    response: versionCreateResponse.extend({ evaluation_ref: z.string() }),
  }),
  evaluation_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluations',
    summary: 'Stream the versions of evaluations as JSON lines.',
    access: 'read',
    request: versionsListRequest,
    response: evaluation,
    responseFormat: 'jsonl',
  }),
  evaluation_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}',
    summary: 'Read one version of an evaluation.',
    access: 'read',
    errors: ['not_found'],
    request: versionReadRequest,
    response: evaluation,
  }),
  evaluation_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/evaluations/{object_id}',
    summary: 'Delete the given versions of an evaluation; without `digests`, all of them.',
    access: 'write',
    errors: ['not_found'],
    request: versionsDeleteRequest,
    response: deletedCountResponse,
  }),
}
