import { useQueries } from '@tanstack/react-query'
import type { Project } from '../api/project.ts'
import type { ComparedTree } from './compared-call.ts'
import { readTree } from './read-tree.ts'

export interface Trees {
  /** In the order asked for; undefined for those that have not come yet. */
  readonly trees: readonly (ComparedTree | undefined)[]
  /** Of the first that could not be read. */
  readonly failure: { readonly n: number; readonly error: Error; readonly retry: () => void } | undefined
}

/** Calls with everything below them, each read by itself. */
export function useTrees(project: Project, ids: readonly string[]): Trees {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['compared', project.project_id, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readTree(project, id, signal),
      structuralSharing: false,
    })),
    combine: (results) => {
      const n = results.findIndex(({ isError }) => isError)
      const failed = results[n]
      return {
        trees: results.map(({ data }) => data),
        failure:
          failed === undefined || failed.error === null
            ? undefined
            : { n, error: failed.error, retry: () => void failed.refetch() },
      }
    },
  })
}
