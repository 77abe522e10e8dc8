import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { followLive } from '../api/follow-live.ts'
import { projectParams, type Project } from '../api/project.ts'
import { callName } from '../call/op-name.ts'
import { preciseMs } from '../time/format.ts'
import { isIdle } from './idle.ts'
import { TraceStore } from './trace-store.ts'

const COLUMNS = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
]

export interface TraceState {
  readonly traceId: string | undefined
  readonly store: TraceStore | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** Loads the trace of a call as a stream, then follows the live feed while the page is open. */
export function useTrace(project: Project, callId: string): TraceState {
  const [known, setKnown] = useState<{ readonly traceId: string; readonly store: TraceStore }>()
  // Another call of the same trace needs no request.
  const isKnown = known?.store.get(callId) !== undefined
  const found = useQuery({
    queryKey: ['trace of', project.project_id, callId],
    queryFn: ({ signal }) => readTraceId(project, callId, signal),
    enabled: !isKnown,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const traceId = isKnown ? known.traceId : found.data
  const [failure, setFailure] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (traceId === undefined) return undefined
    const store = new TraceStore()
    setFailure(null)
    setKnown({ traceId, store })
    return follow(project, traceId, store, (error) =>
      setFailure(error instanceof Error ? error : new Error(String(error))),
    )
  }, [project.project_id, traceId, attempt])
  return {
    traceId,
    store: known?.traceId === traceId ? known?.store : undefined,
    error: failure ?? found.error,
    retry: () => {
      setAttempt(attempt + 1)
      void found.refetch()
    },
  }
}

/** Re-renders whenever calls arrive or change. */
export function useStoreVersion(store: TraceStore): number {
  return useSyncExternalStore(store.subscribe, () => store.version)
}

async function readTraceId(project: Project, callId: string, signal: AbortSignal): Promise<string> {
  const { calls } = await api.call(
    'project_calls',
    { ...projectParams(project), filter: { call_ids: [callId] }, columns: ['id', 'trace_id'], limit: 1 },
    signal,
  )
  const [call] = calls
  if (call === undefined)
    throw new ApiError('not_found', `there is no call ${callId} in ${project.project_id}`)
  return call.trace_id
}

async function loadTrace(
  project: Project,
  traceId: string,
  store: TraceStore,
  signal: AbortSignal,
): Promise<void> {
  const calls = await api.call(
    'calls_query_stream',
    {
      project_id: project.project_id,
      filter: { trace_ids: [traceId] },
      sort_by: [{ field: 'started_at', direction: 'asc' }],
      columns: COLUMNS,
    },
    signal,
  )
  const ids = new Set<string>()
  for await (const call of calls) {
    ids.add(call.id)
    store.put({
      id: call.id,
      parent_id: call.parent_id,
      op_name: call.op_name,
      name: callName(call),
      startMs: preciseMs(call.started_at),
      endMs: call.ended_at === null ? undefined : preciseMs(call.ended_at),
      hasError: call.exception !== null && call.exception !== '',
    })
  }
  store.markComplete(ids)
}

function follow(
  project: Project,
  traceId: string,
  store: TraceStore,
  onError: (error: unknown) => void,
): () => void {
  let lastEventMs = 0
  return followLive(
    { ...projectParams(project), trace_id: traceId, kinds: ['start', 'end', 'update', 'delete'] },
    {
      read: (signal) => loadTrace(project, traceId, store, signal),
      isIdle: () => isIdle(store, lastEventMs, Date.now()),
      onError,
      onEvent: (event) => {
        // The feed sends deletions of all traces.
        if (event.kind === 'delete') store.remove(event.id)
        else if (event.kind !== 'feedback') {
          lastEventMs = Date.now()
          store.put({
            id: event.id,
            parent_id: event.parent_id,
            op_name: event.op_name,
            name: callName(event),
            startMs: preciseMs(event.started_at),
            endMs: event.ended_at === null ? undefined : preciseMs(event.ended_at),
            hasError: event.has_exception,
          })
        }
      },
    },
  )
}
