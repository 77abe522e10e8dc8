import { z } from 'zod'
import { datetime, nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'

/** Bytes of a file: a part of a multipart form, or a response body. */
const bytes = z
  .custom<Buffer>((value) => Buffer.isBuffer(value), 'must be a file (a form part with a filename)')
  .meta({ type: 'string', format: 'binary' })

export const filesOperations = {
  file_create: operation({
    path: '/file/create',
    aliases: ['/files/create'],
    summary: 'Store a file under the digest of its bytes.',
    access: 'write',
    errors: ['conflict'],
    body: 'multipart',
    request: z.object({ project_id: projectId, file: bytes, expected_digest: nullableText }),
    response: z.object({ digest: z.string() }),
  }),
  file_content: operation({
    path: '/file/content',
    aliases: ['/files/content'],
    summary: 'Read the bytes of a file.',
    access: 'read',
    errors: ['not_found'],
    request: z.object({ project_id: projectId, digest: z.string() }),
    response: bytes,
    responseFormat: 'bytes',
  }),
  files_stats: operation({
    path: '/files/query_stats',
    aliases: ['/files/stats'],
    summary: 'Read the total size of the files of a project in bytes.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response: z.object({ total_size_bytes: z.int() }),
  }),
  files_resolve_url: operation({
    path: '/files/resolve_url',
    summary: 'Sign URLs of objects in registered buckets. Heddle has no such buckets, so every URI is a 404.',
    access: 'read',
    errors: ['not_found'],
    request: z.object({ project_id: projectId, uris: z.array(z.string()) }),
    response: z.object({ download_urls: z.array(z.string()), expires_at: datetime.nullable() }),
  }),
}
