import { useMemo } from 'react'
import type { Project } from '../../api/project.ts'
import { viewToSearch, isSameView } from './definition.ts'
import { type SavedView, useSavedViews } from './use-saved-views.ts'
import type { Search } from '../../search-state.ts'

/** The saved view that is open, and whether the URL parameters still match it. */
export interface OpenedView {
  readonly view: SavedView
  readonly isModified: boolean
  readonly unsupported: readonly string[]
}

export function useOpenedView(project: Project, search: Search<'traces'>): OpenedView | undefined {
  const views = useSavedViews(project, search.saved !== undefined)
  const view = views.data?.find(({ object_id }) => object_id === search.saved)
  return useMemo(() => {
    if (view === undefined) return undefined
    const saved = viewToSearch(view)
    return { view, isModified: !isSameView(search, saved.search), unsupported: saved.unsupported }
  }, [view, search])
}
