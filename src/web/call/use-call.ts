import { useQuery } from '@tanstack/react-query'
import type { Project } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { type CallPayloads, openCall } from '../json/payload-client.ts'

const KEY = 'payloads'

/** A call with its payloads. `endMs` changes when a running call ends: then it is read again. */
export function useCall(project: Project, callId: string, endMs: number | undefined) {
  return useQuery({
    queryKey: [KEY, project.project_id, callId, endMs],
    queryFn: () => openCall(project.project_id, callId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    structuralSharing: false,
    // What a running call took stays in view while it is asked for anew.
    placeholderData: (before: CallPayloads | undefined) =>
      before?.rest['id'] === callId ? before : undefined,
  })
}

// The worker holds texts for as long as the cache holds their call.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'removed' || event.query.queryKey[0] !== KEY) return
  const payloads = event.query.state.data as CallPayloads | undefined
  payloads?.close()
})
