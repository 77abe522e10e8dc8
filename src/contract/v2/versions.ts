import { z } from 'zod'
import { datetime } from '../fields.ts'
import { MAX_OBJECT_ID_CHARACTERS } from '../limits.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryTexts } from '../query-fields.ts'

/** Schemas shared by the typed routes of objects. Each route is a view of the object versions of one class. */

/**
 * A display name, which becomes the object id: in lower case, and without the characters that an id cannot have. The
 * ids of ops that belong to the object have a suffix, which must fit too.
 */
export function newName(longestSuffix = '') {
  const maxLength = MAX_OBJECT_ID_CHARACTERS - longestSuffix.length
  return z
    .string()
    .refine((name) => Array.from(name).length <= maxLength, `must have at most ${maxLength} characters`)
    .meta({
      description: 'Its letters, digits, `_`, `.` and `-` become the object id; spaces and `/` become `_`.',
      pattern: String.raw`[\w ./-]`,
      maxLength,
    })
}

const versionFields = { object_id: z.string(), digest: z.string(), version_index: z.int() }

export const versionCreateResponse = z.object(versionFields)
export const versionResponse = z.object({ ...versionFields, created_at: datetime })

export const versionReadRequest = projectRequest({
  object_id: z.string().min(1),
  digest: z.string().min(1).meta({ description: 'Digest, `latest`, `v<number>` or alias.' }),
})

export const versionsListRequest = projectRequest({ limit: queryInt, offset: queryInt })

export const versionsDeleteRequest = projectRequest({
  object_id: z.string().min(1),
  digests: queryTexts.nullish().meta({ description: 'Versions to delete; default all.' }),
})

export const deletedCountResponse = z.object({ num_deleted: z.int() })
