import { z } from 'zod'
import { datetime, limit, nullableText, offset, projectId } from '../fields.ts'
import { MAX_DATASET_SOURCES } from '../limits.ts'
import { operation } from '../operation.ts'
import { rawObject } from '../raw-json.ts'

/** Weave's operations on dataset sources: links from rows of a dataset to the calls that they were made from. */

const SOURCE_KINDS = ['call', 'span', 'conversation'] as const

const sourceKind = z.enum(SOURCE_KINDS)

export type SourceKind = z.output<typeof sourceKind>

const source = {
  source_kind: sourceKind,
  source_id: z
    .string()
    .min(1)
    .meta({ description: 'Id of the call, id of the span, or thread id of the conversation.' }),
  source_trace_id: z
    .string()
    .meta({ description: 'Required for a span, empty for a conversation, ignored for a call.' }),
}

const sourceRef = z.object(source)

export type SourceRef = z.output<typeof sourceRef>

const wb_user_id = nullableText.meta({ description: 'Ignored: the server sets it to the caller.' })

const link = z.object({
  id: z.string(),
  row_digest: z.string(),
  ...source,
  source_started_at: datetime,
  source_display_name: z.string().meta({ description: 'Op name of the call when it was linked.' }),
  link_metadata: rawObject.nullable(),
  added_by: z.string().nullable(),
  created_at: datetime,
  updated_at: datetime,
  deleted_at: datetime.nullable(),
})

export type DatasetSource = z.output<typeof link>

const membership = z.object({
  ...source,
  dataset_object_id: z.string(),
  row_digests: z.array(z.string()).meta({ description: 'The first 100 in alphabetical order.' }),
  row_digests_truncated: z.boolean(),
  row_digests_total_count: z.int(),
  first_seen_at: datetime,
})

export const datasetSourcesOperations = {
  dataset_sources_link: operation({
    path: '/dataset_sources/link',
    summary: 'Link rows of a dataset to the calls, spans or conversations that they were made from.',
    access: 'write',
    storesRecords: true,
    errors: ['invalid_request'],
    request: z.object({
      project_id: projectId,
      dataset_object_id: z.string().min(1),
      dataset_digest: z.string().meta({ description: 'Ignored: links belong to all versions with the row.' }),
      links: z
        .array(
          z.object({
            row_digest: z.string().min(1),
            sources: z.array(sourceRef),
            link_metadata: rawObject.nullish(),
          }),
        )
        .meta({ description: `At most ${MAX_DATASET_SOURCES} sources in total.` }),
      include_created_status: z.boolean().optional(),
      wb_user_id,
    }),
    response: z.object({
      entries: z.array(
        z.object({
          link_id: z.string(),
          created: z
            .boolean()
            .nullable()
            .meta({ description: 'False if the link existed, deleted or not; null unless asked for.' }),
        }),
      ),
    }),
  }),
  dataset_sources_link_delete: operation({
    path: '/dataset_sources/link_delete',
    summary: 'Delete links by id. They can be listed with `include_deleted`, and restored by linking again.',
    access: 'write',
    deletes: true,
    errors: ['invalid_request'],
    request: z.object({
      project_id: projectId,
      link_ids: z.array(z.string()).max(MAX_DATASET_SOURCES),
      wb_user_id,
    }),
    response: z.object({
      entries: z.array(
        z.object({
          link_id: z.string(),
          deleted: z.boolean().meta({ description: 'False if it was deleted before.' }),
        }),
      ),
    }),
  }),
  dataset_sources_query: operation({
    path: '/dataset_sources/query',
    summary: 'List the links of a dataset, by row digest, kind and id of the source.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      dataset_object_id: z.string(),
      row_digests: z.array(z.string()).nullish(),
      source_kinds: z.array(sourceKind).nullish(),
      include_deleted: z.boolean().optional(),
      limit,
      offset,
      wb_user_id,
    }),
    response: z.object({ links: z.array(link) }),
  }),
  source_datasets_query: operation({
    path: '/dataset_sources/source_datasets_query',
    summary: 'List the datasets with rows that are linked to the given calls, spans or conversations.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      sources: z.array(sourceRef).max(MAX_DATASET_SOURCES),
      include_deleted: z.boolean().optional(),
      wb_user_id,
    }),
    response: z.object({ memberships: z.array(membership) }),
  }),
}
