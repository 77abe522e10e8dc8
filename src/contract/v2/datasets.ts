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

const dataset = readVersion.extend({
  name: z.string(),
  description: z.string().nullable(),
  rows: z.string().meta({ description: 'the ref of its table' }),
})

export const datasetsOperations = {
  dataset_create: operation({
    path: '/v2/{entity}/{project}/datasets',
    summary: 'Publish a version of a dataset.',
    access: 'write',
    request: inProject({
      name: nullableText,
      description: nullableText,
      rows: z.array(rawObject),
    }),
    response: createdVersion,
  }),
  dataset_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/datasets',
    summary: 'List the versions of datasets, one a line.',
    access: 'read',
    request: versionsList,
    response: dataset,
    responseFormat: 'jsonl',
  }),
  dataset_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/datasets/{object_id}/versions/{digest}',
    summary: 'Read one version of a dataset.',
    access: 'read',
    request: versionRead,
    response: dataset,
  }),
  dataset_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/datasets/{object_id}',
    summary: 'Delete versions of a dataset, or all of them.',
    access: 'write',
    request: versionsDelete,
    response: deletedCount,
  }),
}
