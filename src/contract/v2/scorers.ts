import { z } from 'zod'
import { nullableText } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import {
  versionCreateResponse,
  deletedCountResponse,
  newName,
  versionResponse,
  versionReadRequest,
  versionsDeleteRequest,
  versionsListRequest,
} from './versions.ts'

/** Typed routes for scorers. */

const scorer = versionResponse.extend({
  name: z.string(),
  description: z.string().nullable(),
  score_op: z.string().meta({ description: 'Ref of the op that computes the score.' }),
})

export const scorersOperations = {
  scorer_create: operation({
    path: '/v2/{entity}/{project}/scorers',
    summary: 'Publish a version of a scorer.',
    access: 'write',
    request: projectRequest({
      name: newName('_summarize'),
      description: nullableText,
      op_source_code: z.string(),
    }),
    response: versionCreateResponse.extend({ scorer: z.string() }),
  }),
  scorer_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scorers',
    summary: 'Stream the versions of scorers as JSON lines.',
    access: 'read',
    request: versionsListRequest,
    response: scorer,
    responseFormat: 'jsonl',
  }),
  scorer_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/scorers/{object_id}/versions/{digest}',
    summary: 'Read one version of a scorer.',
    access: 'read',
    errors: ['not_found'],
    request: versionReadRequest,
    response: scorer,
  }),
  scorer_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/scorers/{object_id}',
    summary: 'Delete the given versions of a scorer; without `digests`, all of them.',
    access: 'write',
    errors: ['not_found'],
    request: versionsDeleteRequest,
    response: deletedCountResponse,
  }),
}
