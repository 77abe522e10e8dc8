import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { classMembers } from './classes.ts'

/**
 * What people save under a name for everyone in a project: views, dashboards, SQL queries. Each is an object of a class of
 * its own with the member `label`, so every change is a version. This module knows only names and raw members, because the
 * command palette loads it on every page.
 */
export interface NamedObject {
  readonly object_id: string
  readonly label: string
  readonly user: string | null
  /** When the newest version was saved. */
  readonly savedAt: string
  /** All members of the published object, as JSON text. */
  readonly members: ReadonlyMap<string, JsonText>
}

const objectsKey = (project: Project, className: string) => ['named objects', className, project.project_id]

/** The objects of a class, sorted by name, or what `select` makes of them. */
export function useNamedObjects<Data = readonly NamedObject[]>(
  project: Project,
  className: string,
  enabled: boolean,
  select?: (objects: readonly NamedObject[]) => Data,
) {
  return useQuery({
    queryKey: objectsKey(project, className),
    queryFn: ({ signal }) => readNamedObjects(project, className, signal),
    enabled,
    staleTime: 30_000,
    ...(select === undefined ? {} : { select }),
  })
}

/** The objects of a class as they are on the server now. */
export async function readNamedObjects(
  project: Project,
  className: string,
  signal?: AbortSignal,
): Promise<readonly NamedObject[]> {
  const filter = { base_object_classes: [className], latest_only: true }
  const { objs } = await api.call('objs_query', { project_id: project.project_id, filter }, signal)
  return objs
    .map(({ object_id, wb_user_id, created_at, val }) => {
      const members = objectMembers(val)
      const label = stringMember(members, 'label') ?? ''
      return {
        object_id,
        label: label === '' ? object_id : label,
        user: wb_user_id,
        savedAt: created_at,
        members,
      }
    })
    .sort((a, b) => a.label.localeCompare(b.label))
}

/** An object to save: a new one, or with its id a new version. */
export interface ObjectToSave {
  readonly object_id?: string | undefined
  readonly label: string
  /** The members besides the name. */
  readonly members: Readonly<Record<string, unknown>>
}

/** Publishes an object. `prepare` runs first and may read what is on the server now. */
export function useSaveNamedObject<Input>(
  project: Project,
  className: string,
  prepare: (input: Input) => ObjectToSave | Promise<ObjectToSave>,
) {
  return useMutation({
    mutationFn: async (input: Input) => {
      const { object_id, label, members } = await prepare(input)
      return api.call('obj_create', {
        obj: {
          project_id: project.project_id,
          object_id: object_id ?? newObjectId(label),
          val: JsonText.of({ ...classMembers(className), name: null, description: null, ...members, label }),
        },
      })
    },
    onSuccess: () => refreshQueries(objectsKey(project, className)),
  })
}

export function useDeleteNamedObject(project: Project, className: string) {
  return useMutation({
    mutationFn: (object_id: string) => api.call('obj_delete', { project_id: project.project_id, object_id }),
    onSuccess: () => refreshQueries(objectsKey(project, className)),
  })
}

const MAX_NAME_LENGTH = 60

/**
 * Object id of a new object: the name, so that links are readable, plus a random suffix, so that objects with the same
 * name do not overwrite each other. Renaming an object does not change its id.
 */
function newObjectId(label: string): string {
  const name = label
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_.]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  const [suffix = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `${Array.from(name).slice(0, MAX_NAME_LENGTH).join('') || 'view'}-${suffix.toString(36)}`
}

/** The members of a JSON object; empty for any other value. */
export function objectMembers(json: JsonText | undefined): ReadonlyMap<string, JsonText> {
  const members = new Map<string, JsonText>()
  const text = json?.text ?? 'null'
  const at = skipSpace(text, 0)
  if (kindAt(text, at) !== 'object') return members
  eachChild(text, at, (keyAt, valueAt, end) => {
    members.set(stringAt(text, keyAt), new JsonText(text.slice(valueAt, end)))
  })
  return members
}

/** A member that is a string. */
export function stringMember(members: ReadonlyMap<string, JsonText>, name: string): string | undefined {
  const text = members.get(name)?.text
  return text !== undefined && kindAt(text, 0) === 'string' ? stringAt(text, 0) : undefined
}
