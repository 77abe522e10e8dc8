import { useMemo } from 'react'
import type { Project } from '../api/project.ts'
import type { ListSearch } from './list-search.ts'
import { addressOf, isSameView } from './saved-views-definition.ts'
import { type SavedView, useSavedViews } from './saved-views-list.ts'

/** The saved view that the address names, and how the address stands to it. */
export interface OpenedView {
  readonly view: SavedView
  readonly isChanged: boolean
  readonly leftOut: readonly string[]
}

export function useOpenedView(project: Project, search: ListSearch): OpenedView | undefined {
  const views = useSavedViews(project, search.saved !== undefined)
  const view = views.data?.find(({ object_id }) => object_id === search.saved)
  return useMemo(() => {
    if (view === undefined) return undefined
    const saved = addressOf(view)
    return { view, isChanged: !isSameView(search, saved.search), leftOut: saved.leftOut }
  }, [view, search])
}
