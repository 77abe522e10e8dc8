import type { Project } from '../../api/project.ts'
import { SAVED_VIEW_CLASS } from '../../named-objects/classes.ts'
import { useSaveNamedObject } from '../../named-objects/use-named-objects.ts'
import { viewMembers, type ViewSearch } from './definition.ts'
import { LIST_VIEW_TYPE, type SavedView } from './use-saved-views.ts'

/** A view to save: a new one, or a new version of an existing one. */
interface ViewToSave {
  readonly label: string
  readonly previous?: SavedView
  /** `undefined` keeps the definition and changes only the name. */
  readonly search?: ViewSearch
}

export function useSaveView(project: Project) {
  return useSaveNamedObject(project, SAVED_VIEW_CLASS, ({ label, previous, search }: ViewToSave) => ({
    object_id: previous?.object_id,
    label,
    members: viewMembers(LIST_VIEW_TYPE, previous, search),
  }))
}
