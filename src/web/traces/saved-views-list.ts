import { useQuery } from '@tanstack/react-query'
import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'

/**
 * A view of the list that was saved: an object of the class `SavedView`, as Weave has it, so that each reads what the
 * other has saved. This file knows only their names; the command palette needs no more and is in every page.
 */
export interface SavedView {
  readonly object_id: string
  readonly label: string
  readonly user: string | null
  /** All that was published, by name; numbers as they were spelled. */
  readonly members: ReadonlyMap<string, JsonText>
}

export const SAVED_VIEW_CLASS = 'SavedView'
export const LIST_VIEW_TYPE = 'traces'

export const savedViewsKey = (project: Project) => ['saved views', project.project_id]

/** The saved views of the list, by name. They are asked for when somebody wants one: the list itself needs none. */
export function useSavedViews(project: Project, enabled: boolean) {
  return useQuery({
    queryKey: savedViewsKey(project),
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id: project.project_id,
          filter: { base_object_classes: [SAVED_VIEW_CLASS], latest_only: true },
        },
        signal,
      )
      return objs
        .map(viewOf)
        .filter((view) => view !== undefined)
        .sort((a, b) => a.label.localeCompare(b.label))
    },
    enabled,
    staleTime: 30_000,
  })
}

/** Undefined for a view of something else, such as of evaluations. */
function viewOf(version: {
  readonly object_id: string
  readonly wb_user_id: string | null
  readonly val: JsonText
}): SavedView | undefined {
  const members = membersOf(version.val)
  if (textOf(members.get('view_type')) !== LIST_VIEW_TYPE) return undefined
  const { object_id, wb_user_id } = version
  const label = textOf(members.get('label')) ?? ''
  return { object_id, label: label === '' ? object_id : label, user: wb_user_id, members }
}

/** The members of an object; none of anything else. */
export function membersOf(json: JsonText | undefined): ReadonlyMap<string, JsonText> {
  const members = new Map<string, JsonText>()
  const text = json?.text ?? 'null'
  const at = skipSpace(text, 0)
  if (kindAt(text, at) !== 'object') return members
  eachChild(text, at, (keyAt, valueAt, end) => {
    members.set(stringAt(text, keyAt), new JsonText(text.slice(valueAt, end)))
  })
  return members
}

function textOf(json: JsonText | undefined): string | undefined {
  return json !== undefined && kindAt(json.text, 0) === 'string' ? stringAt(json.text, 0) : undefined
}
