import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import type { Project } from '../api/project.ts'
import { preciseMs } from '../time/format.ts'
import type { MatrixRow } from './matrix.ts'
import { readResults } from './read-results.ts'
import { readRuns } from './read-runs.ts'
import type { Run } from './run.ts'

const POLL_INTERVAL_MS = 5000

export interface Results {
  /** The baseline first, then by start time. */
  readonly runs: readonly Run[] | undefined
  readonly rows: readonly MatrixRow[]
  /** Number of examples, including those not loaded yet. */
  readonly total: number
  readonly isComplete: boolean
  readonly warnings: readonly string[]
  readonly error: Error | null
  readonly retry: () => void
}

/** Loads runs and their results for every example, page by page. Polls while a run is in progress. */
export function useResults(project: Project, ids: readonly string[], baseline?: string): Results {
  const isRunning = (runs: readonly Run[] | undefined): boolean =>
    runs?.some(({ call }) => call.status === 'running' && !call.isStale) === true
  const runs = useQuery({
    queryKey: ['runs', project.project_id, ...ids],
    queryFn: async ({ signal }) => {
      const found = await readRuns(project, ids, signal)
      const missing = ids.find((id) => !found.some((run) => run.id === id))
      if (missing !== undefined)
        throw new ApiError('not_found', `evaluation run ${missing} not found in ${project.project_id}`)
      return found
    },
    enabled: ids.length > 0,
    structuralSharing: false,
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_INTERVAL_MS : false),
  })
  const ordered = useMemo(() => runs.data && sortRuns(runs.data, baseline), [runs.data, baseline])
  const orderedIds = ordered?.map(({ id }) => id) ?? []
  const results = useInfiniteQuery({
    queryKey: ['results', project.project_id, ...orderedIds],
    queryFn: ({ pageParam, signal }) => readResults(project, orderedIds, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    enabled: orderedIds.length > 0,
    structuralSharing: false,
    refetchInterval: isRunning(runs.data) ? POLL_INTERVAL_MS : false,
  })
  const { hasNextPage, isFetching, fetchNextPage } = results
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const pages = results.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => [...page.rows]) ?? [], [pages])
  return {
    runs: ordered,
    rows,
    total: pages?.at(-1)?.total ?? 0,
    isComplete: results.isSuccess && !hasNextPage,
    warnings: [...new Set(pages?.flatMap((page) => page.warnings) ?? [])],
    error: runs.error ?? results.error,
    retry: () => {
      void runs.refetch()
      void results.refetch()
    },
  }
}

/** The baseline first, then the others by start time. Without a baseline the oldest run is first. */
function sortRuns(runs: readonly Run[], baseline: string | undefined): readonly Run[] {
  return runs.toSorted(
    (a, b) =>
      Number(b.id === baseline) - Number(a.id === baseline) ||
      preciseMs(a.call.started_at) - preciseMs(b.call.started_at),
  )
}
