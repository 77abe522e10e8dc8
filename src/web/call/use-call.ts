import { useQuery } from '@tanstack/react-query'
import type { Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { preciseMs } from '../time/format.ts'
import { type CallPayloads, openCall } from './payloads/payload-client.ts'

const KEY = 'payloads'

/**
 * Loads a call with its payloads. `endMs` is the end that the trace or list knows: if the loaded call has another one, it was
 * running then, and is loaded again.
 */
export function useCall(project: Project, callId: string, endMs: number | undefined) {
  const { data: first } = useCallVersion(project, callId, undefined)
  const isOutdated = first !== undefined && endMs !== undefined && endMs !== endOf(first)
  return useCallVersion(project, callId, isOutdated ? endMs : undefined)
}

function useCallVersion(project: Project, callId: string, endMs: number | undefined) {
  return useQuery({
    queryKey: [KEY, project.project_id, callId, endMs],
    queryFn: () => openCall(project.project_id, callId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    structuralSharing: false,
    // Keeps the inputs of a running call visible while it is loaded again.
    placeholderData: (before: CallPayloads | undefined) =>
      before?.rest['id'] === callId ? before : undefined,
  })
}

function endOf({ rest: { ended_at } }: CallPayloads): number | undefined {
  return typeof ended_at === 'string' ? preciseMs(ended_at) : undefined
}

// Releases the documents in the worker when the call leaves the query cache.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'removed' || event.query.queryKey[0] !== KEY) return
  const payloads = event.query.state.data as CallPayloads | undefined
  payloads?.close()
})
