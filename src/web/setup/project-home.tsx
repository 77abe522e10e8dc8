import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { inPath, useProject } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { SetupPage } from './setup-page.tsx'

/** A project's front page: its traces, or how to get the first one. */
export function ProjectHome() {
  const project = useProject()
  const first = useQuery({
    queryKey: ['any call', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        { ...inPath(project), columns: ['id'], limit: 1 },
        signal,
      )
      return calls.length > 0
    },
    gcTime: 0,
  })
  if (first.isError) return <Failure error={first.error} retry={() => void first.refetch()} />
  if (first.data === undefined) return null
  if (!first.data) return <SetupPage />
  return <Navigate to="/$entity/$project/weave/traces" params={inPath(project)} search={{}} replace />
}
