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

/** Typed routes for models. */

const model = versionResponse.extend({
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
    request: projectRequest({
      name: newName(),
      description: nullableText,
      source_code: z.string(),
      attributes: rawObject.nullish(),
    }),
    response: versionCreateResponse.extend({ model_ref: z.string() }),
  }),
  model_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/models',
    summary: 'Stream the versions of models as JSON lines.',
    access: 'read',
    request: versionsListRequest,
    response: model,
    responseFormat: 'jsonl',
  }),
  model_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/models/{object_id}/versions/{digest}',
    summary: 'Read one version of a model.',
    access: 'read',
    errors: ['not_found'],
    request: versionReadRequest,
    response: model,
  }),
  model_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/models/{object_id}',
    summary: 'Delete the given versions of a model; without `digests`, all of them.',
    access: 'write',
    errors: ['not_found'],
    request: versionsDeleteRequest,
    response: deletedCountResponse,
  }),
}
