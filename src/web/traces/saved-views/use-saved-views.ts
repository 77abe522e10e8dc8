import type { Project } from '../../api/project.ts'
import { SAVED_VIEW_CLASS } from '../../named-objects/classes.ts'
import { type NamedObject, stringMember, useNamedObjects } from '../../named-objects/use-named-objects.ts'

/**
 * A saved view of the list: an object of class `SavedView`, the format of Weave, so that both tools read each other's
 * views.
 */
export type SavedView = NamedObject

export const LIST_VIEW_TYPE = 'traces'

/** Saved views sorted by name, without those of other pages. Fetched on demand: the list itself does not need them. */
export function useSavedViews(project: Project, enabled: boolean) {
  return useNamedObjects(project, SAVED_VIEW_CLASS, enabled, listViews)
}

function listViews(objects: readonly NamedObject[]): readonly SavedView[] {
  return objects.filter(({ members }) => stringMember(members, 'view_type') === LIST_VIEW_TYPE)
}
