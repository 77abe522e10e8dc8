import { z } from 'zod'
import { datetime } from '../fields.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryTexts } from '../query-fields.ts'

/** Schemas shared by the typed routes of objects. Each route is a view of the object versions of one class. */

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
