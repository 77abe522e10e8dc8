import { z } from 'zod'
import { limit, nullableText, offset, projectId, sortByOneOf } from '../fields.ts'
import { MAX_OBJECT_ID_CHARACTERS } from '../limits.ts'
import { operation } from '../operation.ts'
import { rawJson } from '../raw-json.ts'

/** Versioned objects: models, prompts, datasets, ops. See docs/decisions/0007-objects.md. */

const OBJECT_ID = /^[\p{L}\p{N}\p{M}_.-]+$/u

/**
 * Letters, digits, `_`, `.` and `-` of any script. The service checks the length, so a long id is a 400, not a 422. The
 * published pattern is the closest that all regex engines read.
 */
const objectId = z
  .string()
  .refine((text) => OBJECT_ID.test(text), 'must contain only letters, digits, "_", "." and "-"')
  .meta({
    description: 'Letters and digits of any script, `_`, `.` and `-`.',
    examples: ['my-model'],
    pattern: String.raw`^[\w.-]+$`,
    minLength: 1,
    maxLength: MAX_OBJECT_ID_CHARACTERS,
  })

/** The classes whose values Weave's server completes, besides `ChartConfig`, which is never an object on its own. */
const BUILTIN_CLASSES = [
  'AgentDashboard',
  'AlertSpec',
  'AnnotationSpec',
  'ComparisonView',
  'Leaderboard',
  'LLMStructuredCompletionModel',
  'Provider',
  'ProviderModel',
  'SavedView',
] as const

export type BuiltinClass = (typeof BUILTIN_CLASSES)[number]

const builtinClass = z.enum(BUILTIN_CLASSES, `must be ${BUILTIN_CLASSES.join(' or ')}`).nullish()

const newObject = z.object({
  project_id: projectId,
  object_id: objectId,
  val: rawJson,
  builtin_object_class: builtinClass.meta({
    description:
      'Validates a value without class keys as Weave does: fills in defaults and class keys, and leaves out keys that the class lacks.',
  }),
  set_base_object_class: builtinClass.meta({
    description: 'The name of `builtin_object_class` in older clients.',
  }),
  expected_digest: nullableText,
})

const texts = z.array(z.string()).nullish()
const flag = z.boolean().nullish()

/** Filter of object versions. All given keys must match; a list matches if any item does, an empty list always. */
export const objectFilter = z.object({
  object_ids: texts,
  base_object_classes: texts,
  exclude_base_object_classes: texts,
  leaf_object_classes: texts,
  is_op: flag,
  latest_only: flag,
  tags: texts,
  aliases: texts,
})

const objectSort = sortByOneOf('object_id', 'created_at')

export type ObjectSort = z.output<typeof objectSort>

/** docs/specification.md, section 5. */
const objectVersion = z.object({
  project_id: z.string(),
  object_id: z.string(),
  created_at: z.string().meta({ format: 'date-time' }),
  deleted_at: z.string().meta({ format: 'date-time' }).optional(),
  digest: z.string(),
  version_index: z.int(),
  is_latest: z.union([z.literal(0), z.literal(1)]),
  kind: z.string(),
  base_object_class: z.string().nullable(),
  leaf_object_class: z.string().nullable(),
  val: rawJson,
  wb_user_id: z.string().nullable(),
  size_bytes: z.int().nullable(),
  tags: z.array(z.string()).nullable(),
  aliases: z.array(z.string()).nullable(),
})

const deletedVersion = z.object({
  digest: z.string(),
  base_object_class: z.string().nullable(),
  leaf_object_class: z.string().nullable(),
})

export type NewObject = z.output<typeof newObject>
export type ObjectFilter = z.output<typeof objectFilter>
export type ObjectVersion = z.output<typeof objectVersion>

export const objectsOperations = {
  obj_create: operation({
    path: '/obj/create',
    summary: 'Publish a version of an object. Publishing existing content again makes it the latest version.',
    access: 'write',
    storesRecords: true,
    errors: ['conflict'],
    request: z.object({ obj: newObject }),
    response: z.object({ digest: z.string(), object_id: z.string() }),
    projects: (request) => [request.obj.project_id],
  }),
  obj_read: operation({
    path: '/obj/read',
    summary: 'Read one version of an object by digest, `latest`, `v<number>` or alias.',
    access: 'read',
    errors: ['not_found'],
    request: z.object({
      project_id: projectId,
      object_id: z.string(),
      digest: z.string(),
      metadata_only: flag,
      include_tags_and_aliases: flag,
    }),
    response: z.object({ obj: objectVersion }),
  }),
  objs_query: operation({
    path: '/objs/query',
    summary: 'List versions of objects.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      filter: objectFilter.nullish(),
      limit,
      offset,
      sort_by: objectSort,
      metadata_only: flag,
      include_storage_size: flag,
      include_tags_and_aliases: flag,
    }),
    response: z.object({ objs: z.array(objectVersion) }),
  }),
  obj_delete: operation({
    path: '/obj/delete',
    summary: 'Delete the given versions of an object; without `digests`, all of them.',
    access: 'write',
    deletes: true,
    errors: ['not_found'],
    request: z.object({ project_id: projectId, object_id: z.string(), digests: texts }),
    response: z.object({ num_deleted: z.int(), deleted_versions: z.array(deletedVersion) }),
  }),
}
