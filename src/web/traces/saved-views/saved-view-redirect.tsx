import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useProject } from '../../api/project.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { viewToSearch } from './definition.ts'
import { useSavedViews } from './use-saved-views.ts'

/** Handles links that contain only a view id, as SDKs print them: redirects to the parameters of the view. */
export function SavedViewRedirect({ objectId }: { readonly objectId: string }) {
  const project = useProject()
  const navigate = useNavigate({ from: '/$entity/$project/weave/traces' })
  const views = useSavedViews(project, true)
  const view = views.data?.find(({ object_id }) => object_id === objectId)
  useEffect(() => {
    if (view === undefined) return
    void navigate({ search: { ...viewToSearch(view).search, saved: view.object_id }, replace: true })
  }, [view])
  if (views.isError) return <ErrorNotice error={views.error} retry={() => void views.refetch()} />
  if (views.data === undefined || view !== undefined) return null
  return (
    <EmptyState
      icon="bookmark"
      title="View not found"
      actions={<Button onClick={() => void navigate({ search: {}, replace: true })}>Show all traces</Button>}
    >
      The saved view <code className="isolate">{objectId}</code> does not exist. It may have been deleted.
    </EmptyState>
  )
}
