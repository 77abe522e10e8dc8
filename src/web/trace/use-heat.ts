import { useEffect, useMemo, useState } from 'react'
import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { toCallListItem } from '../call/call-list-item.ts'
import { type Heat, type HeatKind, createHeat, selfCosts, selfTimes } from './heat.ts'
import type { TraceStore } from './trace-store.ts'

/** For more calls than this, the costs of the whole trace are read. */
const MAX_IDS_PER_REQUEST = 500

export interface HeatState {
  readonly heat: Heat | undefined
  readonly isFailed: boolean
}

/** The heat of a trace. Times are part of the loaded calls; costs are fetched on demand. */
export function useHeat(
  project: Project,
  traceId: string,
  store: TraceStore,
  kind: HeatKind | undefined,
): HeatState {
  const { costs, isFailed } = useCosts(project, traceId, store, kind === 'cost')
  const heat = useMemo(() => {
    // While the trace loads, the scale would change with every batch of calls.
    if (!store.isComplete) return undefined
    if (kind === 'latency') return createHeat(kind, selfTimes(store))
    return kind === undefined || costs === undefined ? undefined : createHeat(kind, selfCosts(store, costs))
  }, [kind, costs, store, store.structureVersion, store.isComplete])
  return { heat, isFailed }
}

interface Costs {
  readonly costs: ReadonlyMap<string, number> | undefined
  readonly isFailed: boolean
}

const UNKNOWN: Costs = { costs: undefined, isFailed: false }

/** The reported cost of each call, including calls that end while the page is open. */
function useCosts(project: Project, traceId: string, store: TraceStore, isEnabled: boolean): Costs {
  const [state, setState] = useState(UNKNOWN)
  useEffect(() => {
    setState(UNKNOWN)
    if (!isEnabled) return undefined
    const abortController = new AbortController()
    const costsById = new Map<string, number>()
    let lastVersion = -1
    let isReading = false
    const readMissing = async (): Promise<void> => {
      if (isReading || !store.isComplete || lastVersion === store.structureVersion) return
      lastVersion = store.structureVersion
      isReading = true
      try {
        const missing: string[] = []
        for (const { call } of store.nodes())
          if (call.endMs !== undefined && !costsById.has(call.id)) missing.push(call.id)
        if (missing.length > 0) await readCosts(project, traceId, missing, costsById, abortController.signal)
        for (const id of missing) if (!costsById.has(id)) costsById.set(id, 0)
        setState({ costs: new Map(costsById), isFailed: false })
      } finally {
        isReading = false
      }
      await readMissing()
    }
    const update = (): void => {
      readMissing().catch(() => {
        if (!abortController.signal.aborted) setState((before) => ({ ...before, isFailed: true }))
      })
    }
    const stop = store.subscribe(update)
    update()
    return () => {
      stop()
      abortController.abort()
    }
  }, [project.project_id, traceId, store, isEnabled])
  return state
}

async function readCosts(
  project: Project,
  traceId: string,
  ids: readonly string[],
  costsById: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const calls = await api.call(
    'calls_query_stream',
    {
      project_id: project.project_id,
      filter: ids.length > MAX_IDS_PER_REQUEST ? { trace_ids: [traceId] } : { call_ids: [...ids] },
      columns: CALL_LIST_COLUMNS,
      include_costs: true,
    },
    signal,
  )
  for await (const call of calls)
    if (call.ended_at !== null) costsById.set(call.id, toCallListItem(call).cost ?? 0)
}
