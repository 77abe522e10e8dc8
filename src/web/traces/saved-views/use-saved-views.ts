import { useQuery } from '@tanstack/react-query'
import { eachChild, kindAt, skipSpace, stringAt } from '../../../client/browser/json-scan.ts'
import { JsonText } from '../../../client/browser/json-text.ts'
import { api } from '../../api/client.ts'
import type { Project } from '../../api/project.ts'

/**
 * A saved view of the list: an object of class `SavedView`, the format of Weave, so that both tools read each other's
 * views. This module knows only names and raw members, because the command palette loads it on every page.
 */
export interface SavedView {
  readonly object_id: string
  readonly label: string
  readonly user: string | null
  /** All members of the published object, as JSON text. */
  readonly members: ReadonlyMap<string, JsonText>
}

export const SAVED_VIEW_CLASS = 'SavedView'
export const LIST_VIEW_TYPE = 'traces'

export const savedViewsKey = (project: Project) => ['saved views', project.project_id]

/** Saved views sorted by name. Fetched on demand: the list itself does not need them. */
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
        .map(parseSavedView)
        .filter((view) => view !== undefined)
        .sort((a, b) => a.label.localeCompare(b.label))
    },
    enabled,
    staleTime: 30_000,
  })
}

/** `undefined` for views of other pages, such as evaluations. */
function parseSavedView(version: {
  readonly object_id: string
  readonly wb_user_id: string | null
  readonly val: JsonText
}): SavedView | undefined {
  const members = objectMembers(version.val)
  if (stringValue(members.get('view_type')) !== LIST_VIEW_TYPE) return undefined
  const { object_id, wb_user_id } = version
  const label = stringValue(members.get('label')) ?? ''
  return { object_id, label: label === '' ? object_id : label, user: wb_user_id, members }
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

function stringValue(json: JsonText | undefined): string | undefined {
  return json !== undefined && kindAt(json.text, 0) === 'string' ? stringAt(json.text, 0) : undefined
}
