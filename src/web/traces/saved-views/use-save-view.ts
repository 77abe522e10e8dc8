import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Project } from '../../api/project.ts'
import { type ViewSearch, viewValue } from './definition.ts'
import { LIST_VIEW_TYPE, SAVED_VIEW_CLASS, type SavedView, savedViewsKey } from './use-saved-views.ts'

/** A view to save: a new one, or a new version of an existing one. */
interface ViewToSave {
  readonly label: string
  readonly previous?: SavedView
  /** `undefined` keeps the definition and changes only the name. */
  readonly search?: ViewSearch
}

export function useSaveView(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ label, previous, search }: ViewToSave) =>
      api.call('obj_create', {
        obj: {
          project_id: project.project_id,
          object_id: previous?.object_id ?? newObjectId(label),
          builtin_object_class: SAVED_VIEW_CLASS,
          val: viewValue(label, LIST_VIEW_TYPE, previous, search),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: savedViewsKey(project) }),
  })
}

export function useDeleteView(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (object_id: string) => api.call('obj_delete', { project_id: project.project_id, object_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: savedViewsKey(project) }),
  })
}

const MAX_NAME_LENGTH = 60

/**
 * Object id of a new view: the name, so that links are readable, plus a random suffix, so that views with the same name
 * do not overwrite each other. Renaming a view does not change its id.
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
