import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { NothingLeft } from './nothing-left.tsx'
import type { QueueItem } from './use-queue-items.ts'

interface Props {
  readonly project: Project
  readonly queueId: string
  readonly withSkipped: boolean
  readonly items: readonly QueueItem[]
  readonly onFound: (call_id: string) => void
  readonly onSkipped: () => void
  readonly onFill: () => void
  readonly toQueues: ReactNode
}

/**
 * Asks the server which call is next: it alone knows what others have open. Shown only while there is none, so that an
 * answer of before is never taken for one of now; it asks again until somebody lets go of something.
 */
export function FindNext({ project, queueId, withSkipped, onFound, ...rest }: Props) {
  const next = useQuery({
    queryKey: ['queue next', project.project_id, queueId, withSkipped],
    queryFn: ({ signal }) =>
      api.call('queue_next', { ...inPath(project), queue_id: queueId, include_skipped: withSkipped }, signal),
    refetchInterval: 10_000,
    refetchOnMount: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const answer = next.isFetchedAfterMount ? next.data : undefined
  const found = answer?.item?.call_id
  useEffect(() => {
    if (found !== undefined) onFound(found)
  }, [found])
  if (next.isError) return <Failure error={next.error} retry={() => void next.refetch()} />
  return answer?.item === null ? <NothingLeft {...answer} {...rest} /> : null
}
