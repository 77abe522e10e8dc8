import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { parseFieldSchema, type ScoreField, toFieldSchema } from './score-field.ts'

/** A score that people give: an object of Weave's class `AnnotationSpec`. */
export interface ScoreSpec {
  /** The object's name. It is also the suffix of the feedback type. */
  readonly object_id: string
  readonly ref: string
  readonly digest: string
  readonly name: string
  readonly description: string
  readonly field: ScoreField
  /** Names of the ops that the score applies to; undefined for all. */
  readonly ops: readonly string[] | undefined
  /** An archived score is not offered for review. Its values stay. */
  readonly isArchived: boolean
  /** All members of the spec, also those that Heddle does not know. */
  readonly members: Readonly<Record<string, unknown>>
}

/** The tag of the newest version of an archived score. Publishing a new version restores the score. */
const ARCHIVED = 'archived'

const SPEC_CLASS = 'AnnotationSpec'
const specsKey = (project: Project) => ['specs', project.project_id]

/** The scores of a project, sorted by name, with archived ones. */
export function useSpecs(project: Project) {
  return useQuery({
    queryKey: specsKey(project),
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id: project.project_id,
          filter: { base_object_classes: [SPEC_CLASS], latest_only: true },
          include_tags_and_aliases: true,
        },
        signal,
      )
      return objs
        .map((version) => toScoreSpec(project.project_id, version))
        .sort((a, b) => a.name.localeCompare(b.name))
    },
    staleTime: 60_000,
  })
}

function toScoreSpec(
  project_id: string,
  version: { object_id: string; digest: string; val: JsonText; tags?: readonly string[] | null },
): ScoreSpec {
  const { object_id, digest, val } = version
  const parsed: unknown = JSON.parse(val.text)
  const spec = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Readonly<
    Record<string, unknown>
  >
  const { name, description, field_schema, op_scope } = spec
  const ops = Array.isArray(op_scope) ? op_scope.filter((op) => typeof op === 'string') : []
  return {
    object_id,
    ref: formatRef({ kind: 'object', project_id, name: object_id, digest, path: [] }),
    digest,
    name: typeof name === 'string' && name !== '' ? name : object_id,
    description: typeof description === 'string' ? description : '',
    field: parseFieldSchema(field_schema),
    ops: ops.length === 0 ? undefined : ops,
    isArchived: version.tags?.includes(ARCHIVED) === true,
    members: spec,
  }
}

export interface NewSpec {
  readonly name: string
  readonly description: string
  readonly field: ScoreField
}

/** Changes of a score. An undefined field keeps the schema of the spec as it is. */
export interface SpecChange {
  readonly name: string
  readonly description: string
  readonly field: ScoreField | undefined
}

/** Publishes a new version of the spec. Existing feedback keeps referring to the version it was given with. */
export function useUpdateSpec(project: Project, spec: ScoreSpec) {
  return useMutation({
    mutationFn: ({ name, description, field }: SpecChange) =>
      api.call('obj_create', {
        obj: {
          project_id: project.project_id,
          object_id: spec.object_id,
          // A class derived from it is kept.
          ...('_class_name' in spec.members ? {} : { builtin_object_class: SPEC_CLASS }),
          val: JsonText.of({
            ...spec.members,
            name,
            description: description === '' ? null : description,
            ...(field === undefined ? {} : { field_schema: toFieldSchema(field) }),
          }),
        },
      }),
    onSuccess: () => refreshQueries(specsKey(project)),
  })
}

/** Archives or restores a score. */
export function useArchiveSpec(project: Project) {
  return useMutation({
    mutationFn: ({ spec, isArchived }: { readonly spec: ScoreSpec; readonly isArchived: boolean }) =>
      api.call(isArchived ? 'obj_add_tags' : 'obj_remove_tags', {
        project_id: project.project_id,
        object_id: spec.object_id,
        digest: spec.digest,
        tags: [ARCHIVED],
      }),
    onSuccess: () => refreshQueries(specsKey(project)),
  })
}

export function useCreateSpec(project: Project) {
  return useMutation({
    mutationFn: ({ name, description, field }: NewSpec) =>
      api.call('obj_create', {
        obj: {
          project_id: project.project_id,
          object_id: toObjectId(name),
          builtin_object_class: SPEC_CLASS,
          val: JsonText.of({
            name,
            description: description === '' ? null : description,
            field_schema: toFieldSchema(field),
            unique_among_creators: false,
            op_scope: null,
          }),
        },
      }),
    onSuccess: () => refreshQueries(specsKey(project)),
  })
}

/** A valid object name made from a display name. The spec itself keeps the display name. */
export function toObjectId(name: string): string {
  return name
    .trim()
    .replaceAll(/[^\p{L}\p{N}\p{M}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 128)
}
