import { z } from 'zod'
import { datetime } from '../fields.ts'
import { inProject } from '../project-path.ts'
import { queryInt, queryTexts } from '../query-fields.ts'

/** What the typed routes of objects have in common: each is a view of versions of objects of one class. */

const oneVersion = { object_id: z.string(), digest: z.string(), version_index: z.int() }

export const createdVersion = z.object(oneVersion)
export const readVersion = z.object({ ...oneVersion, created_at: datetime })

export const versionRead = inProject({
  object_id: z.string().min(1),
  digest: z.string().min(1).meta({ description: 'a digest, `latest`, `v<number>` or an alias' }),
})

export const versionsList = inProject({ limit: queryInt, offset: queryInt })

export const versionsDelete = inProject({
  object_id: z.string().min(1),
  digests: queryTexts.nullish().meta({ description: 'which versions; without it all of them' }),
})

export const deletedCount = z.object({ num_deleted: z.int() })
