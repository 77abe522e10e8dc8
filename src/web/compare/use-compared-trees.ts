import { useQueries } from '@tanstack/react-query'
import type { Project } from '../api/project.ts'
import type { ComparedTree } from './compared-call.ts'
import { readTree } from './read-tree.ts'

export interface ComparedTrees {
  /** In the order of the ids; undefined while loading. */
  readonly trees: readonly (ComparedTree | undefined)[]
  /** The first call that could not be read. */
  readonly failure: { readonly index: number; readonly error: Error; readonly retry: () => void } | undefined
}

/** Reads each call with its descendants, in parallel. */
export function useComparedTrees(project: Project, ids: readonly string[]): ComparedTrees {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['compared', project.project_id, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readTree(project, id, signal),
      structuralSharing: false,
    })),
    combine: (results) => {
      const index = results.findIndex(({ isError }) => isError)
      const failed = results[index]
      return {
        trees: results.map(({ data }) => data),
        failure:
          failed === undefined || failed.error === null
            ? undefined
            : { index, error: failed.error, retry: () => void failed.refetch() },
      }
    },
  })
}
