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

const op = readVersion.extend({ code: z.string() })

export const opsOperations = {
  op_create: operation({
    path: '/v2/{entity}/{project}/ops',
    summary: 'Publish a version of an op.',
    access: 'write',
    request: inProject({ name: nullableText, source_code: nullableText }),
    response: createdVersion,
  }),
  op_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/ops',
    summary: 'List the versions of ops, one a line.',
    access: 'read',
    request: versionsList,
    response: op,
    responseFormat: 'jsonl',
  }),
  op_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/ops/{object_id}/versions/{digest}',
    summary: 'Read one version of an op with its source code.',
    access: 'read',
    request: versionRead,
    response: op,
  }),
  op_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/ops/{object_id}',
    summary: 'Delete versions of an op, or all of them.',
    access: 'write',
    request: versionsDelete,
    response: deletedCount,
  }),
}
