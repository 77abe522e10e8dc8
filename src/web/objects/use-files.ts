import { useQueries } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import type { filesOf } from './object-files.ts'

/** The text of files; what stands under a digest never changes. */
export function useFiles(project: Project, files: ReturnType<typeof filesOf>) {
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
