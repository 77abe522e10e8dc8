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

/** Typed routes for ops. */

const op = versionResponse.extend({ code: z.string() })

export const opsOperations = {
  op_create: operation({
    path: '/v2/{entity}/{project}/ops',
    summary: 'Publish a version of an op.',
    access: 'write',
    request: projectRequest({ name: newName().nullish(), source_code: nullableText }),
    response: versionCreateResponse,
  }),
  op_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/ops',
    summary: 'Stream the versions of ops as JSON lines.',
    access: 'read',
    request: versionsListRequest,
    response: op,
    responseFormat: 'jsonl',
  }),
  op_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/ops/{object_id}/versions/{digest}',
    summary: 'Read one version of an op with its source code.',
    access: 'read',
    errors: ['not_found'],
    request: versionReadRequest,
    response: op,
  }),
  op_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/ops/{object_id}',
    summary: 'Delete the given versions of an op; without `digests`, all of them.',
    access: 'write',
    errors: ['not_found'],
    request: versionsDeleteRequest,
    response: deletedCountResponse,
  }),
}
