import { z } from 'zod'
import { nullableText } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import {
  createdVersion,
  deletedCount,
  readVersion,
  versionRead,
  versionsDelete,
  versionsList,
} from './versions.ts'

const scorer = readVersion.extend({
  name: z.string(),
  description: z.string().nullable(),
  score_op: z.string().meta({ description: 'the ref of the op that scores' }),
})

export const scorersOperations = {
  scorer_create: operation({
    path: '/v2/{entity}/{project}/scorers',
    summary: 'Publish a version of a scorer.',
    access: 'write',
    request: inProject({
      name: z.string(),
      description: nullableText,
      op_source_code: z.string(),
    }),
    response: createdVersion.extend({ scorer: z.string() }),
  }),
  scorer_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scorers',
    summary: 'List the versions of scorers, one a line.',
    access: 'read',
    request: versionsList,
    response: scorer,
    responseFormat: 'jsonl',
  }),
  scorer_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scorers/{object_id}/versions/{digest}',
    summary: 'Read one version of a scorer.',
    access: 'read',
    request: versionRead,
    response: scorer,
  }),
  scorer_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/scorers/{object_id}',
    summary: 'Delete versions of a scorer, or all of them.',
    access: 'write',
    request: versionsDelete,
    response: deletedCount,
  }),
}
