import { useEffect, useMemo, useState } from 'react'
import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { factsOf } from '../call/call-facts.ts'
import { type Heat, type HeatKind, heatOf, ownCosts, ownTimes } from './heat.ts'
import type { TraceStore } from './trace-store.ts'

/** More calls than this are asked for as the whole trace. */
const MOST_BY_ID = 500

export interface HeatState {
  readonly heat: Heat | undefined
  readonly isFailed: boolean
}

/** The heat that is wanted. Times are known with the calls; costs are asked for when somebody first wants them. */
export function useHeat(
  project: Project,
  traceId: string,
  store: TraceStore,
  kind: HeatKind | undefined,
): HeatState {
  const { costs, isFailed } = useCosts(project, traceId, store, kind === 'cost')
  const heat = useMemo(() => {
    // Of a part of the calls it would be another heat each time that some arrive.
    if (!store.isWhole) return undefined
    if (kind === 'latency') return heatOf(kind, ownTimes(store))
    return kind === undefined || costs === undefined ? undefined : heatOf(kind, ownCosts(store, costs))
  }, [kind, costs, store, store.shape, store.isWhole])
  return { heat, isFailed }
}

interface Costs {
  readonly costs: ReadonlyMap<string, number> | undefined
  readonly isFailed: boolean
}

const UNKNOWN: Costs = { costs: undefined, isFailed: false }

/** What each call says that it cost; of those that end while it is looked at, afterwards. */
function useCosts(project: Project, traceId: string, store: TraceStore, isWanted: boolean): Costs {
  const [state, setState] = useState(UNKNOWN)
  useEffect(() => {
    setState(UNKNOWN)
    if (!isWanted) return undefined
    const ending = new AbortController()
    const known = new Map<string, number>()
    let shape = -1
    let isReading = false
    const readMissing = async (): Promise<void> => {
      if (isReading || !store.isWhole || shape === store.shape) return
      shape = store.shape
      isReading = true
      try {
        const missing: string[] = []
        for (const { call } of store.nodes())
          if (call.endMs !== undefined && !known.has(call.id)) missing.push(call.id)
        if (missing.length > 0) await readCosts(project, traceId, missing, known, ending.signal)
        for (const id of missing) if (!known.has(id)) known.set(id, 0)
        setState({ costs: new Map(known), isFailed: false })
      } finally {
        isReading = false
      }
      await readMissing()
    }
    const look = (): void => {
      readMissing().catch(() => {
        if (!ending.signal.aborted) setState((before) => ({ ...before, isFailed: true }))
      })
    }
    const stop = store.subscribe(look)
    look()
    return () => {
      stop()
      ending.abort()
    }
  }, [project.project_id, traceId, store, isWanted])
  return state
}

async function readCosts(
  project: Project,
  traceId: string,
  ids: readonly string[],
  known: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const calls = await api.call(
    'calls_query_stream',
    {
      project_id: project.project_id,
      filter: ids.length > MOST_BY_ID ? { trace_ids: [traceId] } : { call_ids: [...ids] },
      columns: FACT_COLUMNS,
      include_costs: true,
    },
    signal,
  )
  for await (const call of calls) if (call.ended_at !== null) known.set(call.id, factsOf(call).cost ?? 0)
}
