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

const model = readVersion.extend({
  name: z.string(),
  description: z.string().nullable(),
  source_code: z.string(),
  attributes: rawObject.nullable(),
})

export const modelsOperations = {
  model_create: operation({
    path: '/v2/{entity}/{project}/models',
    summary: 'Publish a version of a model.',
    access: 'write',
    request: inProject({
      name: z.string(),
      description: nullableText,
      source_code: z.string(),
      attributes: rawObject.nullish(),
    }),
    response: createdVersion.extend({ model_ref: z.string() }),
  }),
  model_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/models',
    summary: 'List the versions of models, one a line.',
    access: 'read',
    request: versionsList,
    response: model,
    responseFormat: 'jsonl',
  }),
  model_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/models/{object_id}/versions/{digest}',
    summary: 'Read one version of a model.',
    access: 'read',
    request: versionRead,
    response: model,
  }),
  model_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/models/{object_id}',
    summary: 'Delete versions of a model, or all of them.',
    access: 'write',
    request: versionsDelete,
    response: deletedCount,
  }),
}
