import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useProject } from '../api/project.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { addressOf } from './saved-views-definition.ts'
import { useSavedViews } from './saved-views-list.ts'

/** A link that has only the name of a view, as SDKs print it: leads to what the view says. */
export function SavedViewLink({ objectId }: { readonly objectId: string }) {
  const project = useProject()
  const navigate = useNavigate({ from: '/$entity/$project/weave/traces' })
  const views = useSavedViews(project, true)
  const view = views.data?.find(({ object_id }) => object_id === objectId)
  useEffect(() => {
    if (view === undefined) return
    void navigate({ search: { ...addressOf(view).search, saved: view.object_id }, replace: true })
  }, [view])
  if (views.isError) return <Failure error={views.error} retry={() => void views.refetch()} />
  if (views.data === undefined || view !== undefined) return null
  return (
    <Empty
      icon="bookmark"
      title="There is no such view"
      actions={<Button onClick={() => void navigate({ search: {}, replace: true })}>Show all traces</Button>}
    >
      The link names the saved view <code className="foreign">{objectId}</code>. It may have been deleted.
    </Empty>
  )
}
