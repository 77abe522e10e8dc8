import { useQueries } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import type { objectFiles } from './object-files.ts'

/** The text of files. The content of a digest never changes, so it never becomes stale. */
export function useFiles(project: Project, files: ReturnType<typeof objectFiles>) {
  return useQueries({
    queries: files.map(({ digest }) => ({
      queryKey: ['file', project.project_id, digest],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const blob = await api.call('file_content', { project_id: project.project_id, digest }, signal)
        return await blob.text()
      },
      staleTime: Infinity,
    })),
  })
}
