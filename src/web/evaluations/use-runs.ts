import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Project } from '../api/project.ts'
import { readRunPage, type RunFilter } from './read-runs.ts'
import type { Run } from './run.ts'

const POLL_INTERVAL_MS = 5000
/** Maximum runs of charts and leaderboards. */
const MAX_RUNS = 1000

/** Evaluation runs, newest first. `needsAll` loads the pages that charts and leaderboards need, but no user scrolls to. */
export function useRuns(project: Project, filter: RunFilter, needsAll: boolean) {
  const list = useInfiniteQuery({
    queryKey: ['evaluation runs', project.project_id, filter],
    queryFn: ({ pageParam, signal }) => readRunPage(project, filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    structuralSharing: false,
    // Poll while a run is in progress.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs }) => runs.some(isRunning)) === true ? POLL_INTERVAL_MS : false,
  })
  const runs = useMemo(() => list.data?.pages.flatMap((page) => [...page.runs]) ?? [], [list.data])
  const counts = useMemo(
    () => new Map(list.data?.pages.flatMap((page) => [...page.trialCounts]) ?? []),
    [list.data],
  )
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  const isMissing = needsAll && hasNextPage && runs.length < MAX_RUNS
  useEffect(() => {
    if (isMissing && !isFetching && !isError) void fetchNextPage()
  }, [isMissing, isFetching, isError, fetchNextPage])
  return { list, runs, counts, isComplete: list.isSuccess && !isMissing }
}

function isRunning({ call }: Run): boolean {
  return call.status === 'running' && !call.isStale
}
