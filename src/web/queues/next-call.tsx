import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { NoNextCall } from './no-next-call.tsx'
import type { QueueItem } from './use-queue-items.ts'
import { queuesKey } from './use-queues.ts'

interface Props {
  readonly project: Project
  readonly queueId: string
  readonly includeSkipped: boolean
  readonly items: readonly QueueItem[]
  readonly onFound: (call_id: string) => void
  readonly onReviewSkipped: () => void
  readonly onAddCalls: () => void
  readonly queuesLink: ReactNode
}

/**
 * Asks the server for the next call, because only the server knows which calls other reviewers hold. It is mounted only
 * while no call is open, so that a stale response is never used, and it polls until a call is released.
 */
export function NextCall({ project, queueId, includeSkipped, onFound, ...rest }: Props) {
  const next = useQuery({
    // Below the key of the queues, so that it is asked again when calls are added.
    queryKey: [...queuesKey(project), queueId, 'next', includeSkipped],
    queryFn: ({ signal }) =>
      api.call(
        'queue_next',
        { ...projectParams(project), queue_id: queueId, include_skipped: includeSkipped },
        signal,
      ),
    refetchInterval: 10_000,
    refetchOnMount: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const response = next.isFetchedAfterMount ? next.data : undefined
  const found = response?.item?.call_id
  useEffect(() => {
    if (found !== undefined) onFound(found)
  }, [found])
  if (next.isError) return <ErrorNotice error={next.error} retry={() => void next.refetch()} />
  return response?.item === null ? <NoNextCall {...response} {...rest} /> : null
}
