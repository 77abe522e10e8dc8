import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import type { Project } from '../api/project.ts'
import type { MatrixRow } from './matrix.ts'
import { readResults } from './read-results.ts'
import { readRuns } from './read-runs.ts'
import type { Run } from './run.ts'

const RUNNING_MS = 5000

export interface Results {
  readonly runs: readonly Run[] | undefined
  readonly rows: readonly MatrixRow[]
  /** Examples that there are, of which not all may have come yet. */
  readonly total: number
  readonly isWhole: boolean
  readonly warnings: readonly string[]
  readonly error: Error | null
  readonly retry: () => void
}

/** Runs with all that they made of every example. They are read page by page, and again while one of them goes on. */
export function useResults(project: Project, ids: readonly string[]): Results {
  const isGoing = (runs: readonly Run[] | undefined): boolean =>
    runs?.some(({ facts }) => facts.status === 'running' && !facts.isStale) === true
  const runs = useQuery({
    queryKey: ['runs', project.project_id, ...ids],
    queryFn: async ({ signal }) => {
      const found = await readRuns(project, ids, signal)
      const missing = ids.find((id) => !found.some((run) => run.id === id))
      if (missing !== undefined)
        throw new ApiError(
          'not_found',
          `there is no run ${missing} of an evaluation in ${project.project_id}`,
        )
      return found
    },
    enabled: ids.length > 0,
    structuralSharing: false,
    refetchInterval: ({ state }) => (isGoing(state.data) ? RUNNING_MS : false),
  })
  const results = useInfiniteQuery({
    queryKey: ['results', project.project_id, ...ids],
    queryFn: ({ pageParam, signal }) => readResults(project, ids, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    enabled: ids.length > 0,
    structuralSharing: false,
    refetchInterval: isGoing(runs.data) ? RUNNING_MS : false,
  })
  const { hasNextPage, isFetching, fetchNextPage } = results
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const pages = results.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => [...page.rows]) ?? [], [pages])
  return {
    runs: runs.data,
    rows,
    total: pages?.at(-1)?.total ?? 0,
    isWhole: results.isSuccess && !hasNextPage,
    warnings: [...new Set(pages?.flatMap((page) => page.warnings) ?? [])],
    error: runs.error ?? results.error,
    retry: () => {
      void runs.refetch()
      void results.refetch()
    },
  }
}
