import { z } from 'zod'
import { CONTROL_CHARACTERS, datetime, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** Operations on the retention of a project: how long its calls and their payloads are kept. */

const path = '/api/v1/projects/{entity}/{project}/retention'

/** Ten years are more than any policy needs, and fit the range of times. */
export const MAX_AGE_SECONDS = 3_653 * 86_400

const age = (of: string) =>
  z
    .int()
    .min(60)
    .max(MAX_AGE_SECONDS)
    .nullable()
    .meta({ description: `Maximum age of ${of}; null: no limit.` })
const bytes = (of: string) =>
  z
    .int()
    .min(1)
    .nullable()
    .meta({ description: `Maximum bytes of payloads, as sent; the oldest ${of} go first. null: no limit.` })

const policyFields = {
  calls_max_age_seconds: age('calls'),
  calls_max_bytes: bytes('calls'),
  payloads_max_age_seconds: age('payloads. The call stays with its metrics'),
  payloads_max_bytes: bytes('payloads'),
  keep_tags: z
    .array(
      z
        .string()
        .min(1)
        .max(200)
        .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'must be a single line of text'),
    )
    .max(100)
    .meta({ description: 'Traces with a call that has one of these tags are kept.' }),
}

const count = z.object({
  count: z.int(),
  bytes: z.int().meta({ description: 'Bytes of payloads, as sent.' }),
  before: datetime.nullable().meta({ description: 'Calls that started before this time; null: none.' }),
})

export const retentionOperations = {
  retention_read: operation({
    method: 'GET',
    path,
    summary: 'Read how long the calls of a project are kept.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({
      ...policyFields,
      changed_by: z.string().nullable().meta({ description: 'null: the project has no policy.' }),
      changed_at: datetime.nullable(),
      server_max_days: z
        .int()
        .nullable()
        .meta({ description: 'Maximum age of calls in all projects of the server; null: no limit.' }),
      last_run_at: datetime
        .nullable()
        .meta({ description: 'Start of the last complete run for all projects.' }),
      last_deletion: z
        .object({ deleted_at: datetime, reason: z.string(), calls: z.int(), payloads: z.int() })
        .nullable()
        .meta({
          description: 'The last deletion in this project by retention, by a full disk, or by an erasure.',
        }),
    }),
  }),
  retention_update: operation({
    method: 'PUT',
    path,
    summary: 'Set how long the calls of a project are kept. Without any limit, everything is kept.',
    access: 'admin',
    deletes: true,
    request: projectRequest(policyFields),
    response: emptyResponse,
  }),
  retention_preview: operation({
    path: `${path}/preview`,
    summary: 'Count what a retention policy would delete now, without deleting it.',
    access: 'read',
    deletes: true,
    request: projectRequest(policyFields),
    response: z.object({
      calls: count.meta({ description: 'Calls that would be deleted.' }),
      payloads: count.meta({ description: 'Calls that would lose their payloads.' }),
      kept_calls: z.int().meta({
        description:
          'Calls that are old enough, but belong to a trace with feedback, in a queue, in a dataset, or with a tag to keep.',
      }),
    }),
  }),
}
