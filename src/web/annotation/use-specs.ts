import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
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
  readonly name: string
  readonly description: string
  readonly field: ScoreField
  /** Names of the ops that the score applies to; undefined for all. */
  readonly ops: readonly string[] | undefined
}

const SPEC_CLASS = 'AnnotationSpec'
const specsKey = (project: Project) => ['specs', project.project_id]

/** The scores of a project, sorted by name. */
export function useSpecs(project: Project) {
  return useQuery({
    queryKey: specsKey(project),
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        { project_id: project.project_id, filter: { base_object_classes: [SPEC_CLASS], latest_only: true } },
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
  { object_id, digest, val }: { object_id: string; digest: string; val: JsonText },
): ScoreSpec {
  const parsed: unknown = JSON.parse(val.text)
  const spec = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Readonly<
    Record<string, unknown>
  >
  const { name, description, field_schema, op_scope } = spec
  const ops = Array.isArray(op_scope) ? op_scope.filter((op) => typeof op === 'string') : []
  return {
    object_id,
    ref: formatRef({ kind: 'object', project_id, name: object_id, digest, path: [] }),
    name: typeof name === 'string' && name !== '' ? name : object_id,
    description: typeof description === 'string' ? description : '',
    field: parseFieldSchema(field_schema),
    ops: ops.length === 0 ? undefined : ops,
  }
}

export interface NewSpec {
  readonly name: string
  readonly description: string
  readonly field: ScoreField
}

export function useCreateSpec(project: Project) {
  const queryClient = useQueryClient()
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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: specsKey(project) }),
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
