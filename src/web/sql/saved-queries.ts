import type { Project } from '../api/project.ts'
import { SQL_QUERY_CLASS } from '../named-objects/classes.ts'
import type { Search } from '../search-state.ts'
import {
  type NamedObject,
  stringMember,
  useNamedObjects,
  useSaveNamedObject,
} from '../named-objects/use-named-objects.ts'

/** A SQL query that was saved under a name: an object of the class `SqlQuery` with the query and how to show its result. */
export interface SavedQuery extends NamedObject {
  readonly search: Search<'sql'>
}

const MEMBERS = ['query', 'view', 'x', 'y'] as const

function parseQueries(objects: readonly NamedObject[]): readonly SavedQuery[] {
  return objects.map((object) => {
    const search: Search<'sql'> = {}
    for (const name of MEMBERS) {
      const text = stringMember(object.members, name)
      if (text !== undefined && text !== '') search[name] = text
    }
    return { ...object, search }
  })
}

export function useSavedQueries(project: Project, enabled = true) {
  return useNamedObjects(project, SQL_QUERY_CLASS, enabled, parseQueries)
}

/** A query to save: a new one, or a new version of an existing one. */
interface QueryToSave {
  readonly object_id?: string
  readonly label: string
  readonly search: Search<'sql'>
}

export function useSaveQuery(project: Project) {
  return useSaveNamedObject(project, SQL_QUERY_CLASS, ({ object_id, label, search }: QueryToSave) => ({
    object_id,
    label,
    members: Object.fromEntries(MEMBERS.map((name) => [name, search[name] ?? null])),
  }))
}

/** Whether the result of two searches is the same, shown in the same way. */
export function isSameQuery(a: Search<'sql'>, b: Search<'sql'>): boolean {
  return MEMBERS.every((name) => a[name] === b[name])
}
