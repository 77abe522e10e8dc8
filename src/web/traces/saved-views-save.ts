import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { type ViewSearch, viewValue } from './saved-views-definition.ts'
import { LIST_VIEW_TYPE, SAVED_VIEW_CLASS, type SavedView, savedViewsKey } from './saved-views-list.ts'

/** A view to be saved: a new one, or another version of one that is there. */
interface ViewToSave {
  readonly label: string
  readonly before?: SavedView
  /** Undefined: as it was, only its name changes. */
  readonly search?: ViewSearch
}

export function useSaveView(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ label, before, search }: ViewToSave) =>
      api.call('obj_create', {
        obj: {
          project_id: project.project_id,
          object_id: before?.object_id ?? newObjectId(label),
          builtin_object_class: SAVED_VIEW_CLASS,
          val: viewValue(label, LIST_VIEW_TYPE, before, search),
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

const LONGEST_NAME = 60

/**
 * What addresses call a new view: its name, so that a link says where it leads, and a few letters, so that nobody's view
 * of the same name is written over. It stays when the view gets another name.
 */
function newObjectId(label: string): string {
  const name = label
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_.]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  const [letters = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `${Array.from(name).slice(0, LONGEST_NAME).join('') || 'view'}-${letters.toString(36)}`
}
