import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'

/** The projects that the caller may read. */
export function useProjects() {
  return useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api.call('projects_list', {}, signal),
    staleTime: 30_000,
  })
}
