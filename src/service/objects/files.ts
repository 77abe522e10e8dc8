import { ApiError } from '../../contract/api-error.ts'
import { contentDigest } from '../../core/objects/digest.ts'
import { findFile, insertFile } from '../../store/objects/files.ts'
import { readStoredBytes } from '../../store/database/stored-bytes.ts'
import type { Deps } from '../deps.ts'
import { checkExpectedDigest } from './expected-digest.ts'
import type { Handlers } from '../handler.ts'

/** Handlers for files: create, read, storage size, URLs of objects in buckets. */
export function filesHandlers({
  db,
  now,
}: Deps): Pick<Handlers, 'file_create' | 'file_content' | 'files_stats' | 'files_resolve_url'> {
  return {
    file_create: async ({ project_id, file, expected_digest }) => {
      const digest = contentDigest(file)
      checkExpectedDigest(expected_digest, digest)
      await insertFile(db, { project_id, digest, content: file }, now())
      return { digest }
    },

    file_content: async ({ project_id, digest }) => {
      const content = await findFile(db, project_id, digest)
      if (content === undefined) throw new ApiError('not_found', `File ${digest} not found`)
      return content
    },

    files_stats: async ({ project_id }) => ({
      total_size_bytes: await readStoredBytes(db, project_id, 'files'),
    }),

    files_resolve_url: async ({ uris: [uri] }) => {
      if (uri !== undefined)
        throw new ApiError(
          'not_found',
          `Heddle has no registered bucket, so it signs no URL for ${uri.slice(0, 200)}; read files of a project with /files/content`,
        )
      return { download_urls: [], expires_at: null }
    },
  }
}
