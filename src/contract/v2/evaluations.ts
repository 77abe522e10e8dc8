import { z } from 'zod'
import { nullableText } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawObject } from '../raw-json.ts'
import {
  createdVersion,
  deletedCount,
  readVersion,
  versionRead,
  versionsDelete,
  versionsList,
} from './versions.ts'

const evaluation = readVersion.extend({
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
    request: inProject({
      name: z.string(),
      description: nullableText,
      dataset: z.string(),
      scorers: z.array(z.string()).nullish(),
      trials: z.int().nullish(),
      evaluation_name: nullableText,
      eval_attributes: rawObject.nullish(),
    }),
    response: createdVersion.extend({ evaluation_ref: z.string() }),
  }),
  evaluation_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluations',
    summary: 'List the versions of evaluations, one a line.',
    access: 'read',
    request: versionsList,
    response: evaluation,
    responseFormat: 'jsonl',
  }),
  evaluation_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}',
    summary: 'Read one version of an evaluation.',
    access: 'read',
    request: versionRead,
    response: evaluation,
  }),
  evaluation_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/evaluations/{object_id}',
    summary: 'Delete versions of an evaluation, or all of them.',
    access: 'write',
    request: versionsDelete,
    response: deletedCount,
  }),
}
