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

/** Typed routes for datasets. */

const dataset = versionResponse.extend({
  name: z.string(),
  description: z.string().nullable(),
  rows: z.string().meta({ description: 'Ref of the table with the rows.' }),
})

export const datasetsOperations = {
  dataset_create: operation({
    path: '/v2/{entity}/{project}/datasets',
    summary: 'Publish a version of a dataset.',
    access: 'write',
    request: projectRequest({
      name: newName().nullish(),
      description: nullableText,
      rows: z.array(rawObject),
    }),
    response: versionCreateResponse,
  }),
  dataset_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/datasets',
    summary: 'Stream the versions of datasets as JSON lines.',
    access: 'read',
    request: versionsListRequest,
    response: dataset,
    responseFormat: 'jsonl',
  }),
  dataset_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/datasets/{object_id}/versions/{digest}',
    summary: 'Read one version of a dataset.',
    access: 'read',
    errors: ['not_found'],
    request: versionReadRequest,
    response: dataset,
  }),
  dataset_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/datasets/{object_id}',
    summary: 'Delete the given versions of a dataset; without `digests`, all of them.',
    access: 'write',
    errors: ['not_found'],
    request: versionsDeleteRequest,
    response: deletedCountResponse,
  }),
}
