import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { projectParams, useProject } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SetupPage } from './setup-page.tsx'

/** Home page of a project: redirects to the traces, or shows the setup page if there are no calls. */
export function ProjectHome() {
  const project = useProject()
  const first = useQuery({
    queryKey: ['any call', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        { ...projectParams(project), columns: ['id'], limit: 1 },
        signal,
      )
      return calls.length > 0
    },
    gcTime: 0,
  })
  if (first.isError) return <ErrorNotice error={first.error} retry={() => void first.refetch()} />
  if (first.data === undefined) return null
  if (!first.data) return <SetupPage />
  return <Navigate to="/$entity/$project/weave/traces" params={projectParams(project)} search={{}} replace />
}
