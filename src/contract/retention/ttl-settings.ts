import { z } from 'zod'
import { nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { MAX_AGE_SECONDS } from './retention.ts'

/** Weave's operations on the maximum age of the calls of a project, one limit of its retention policy. */

const days = z
  .int()
  .min(1)
  .max(MAX_AGE_SECONDS / 86_400)
  .nullable()
  .meta({ description: 'Maximum age of calls; null: no limit.' })

const response = z.object({ retention_days: days })

export const ttlSettingsOperations = {
  ttl_settings_read: operation({
    path: '/project/ttl_settings/read',
    summary: 'Read the maximum age of the calls of a project in days, rounded up.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response,
  }),
  ttl_settings_update: operation({
    path: '/project/ttl_settings/update',
    summary:
      'Set the maximum age of the calls of a project, also of stored ones. The other limits of its retention policy stay.',
    access: 'admin',
    deletes: true,
    request: z.object({ project_id: projectId, retention_days: days.optional(), wb_user_id: nullableText }),
    response,
  }),
}
