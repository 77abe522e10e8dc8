import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import type { TraceStore } from './trace-store.ts'

/** The calls of a trace in whose name or documents a text stands; undefined while none is looked for. */
export function useTraceFind(
  project: Project,
  traceId: string,
  store: TraceStore,
  text: string,
): ReadonlySet<string> | undefined {
  const [wanted] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    queryKey: ['find', project.project_id, traceId, wanted],
    queryFn: async ({ signal }) => {
      const { hits } = await api.call(
        'project_search',
        { ...inPath(project), text: wanted, filter: { trace_ids: [traceId] }, limit: 200 },
        signal,
      )
      return hits.map(({ id }) => id)
    },
    enabled: wanted !== '' && traceId !== '',
    placeholderData: keepPreviousData,
  })
  return useMemo(() => {
    if (wanted === '') return undefined
    const matched = new Set(found.data ?? [])
    const lower = wanted.toLowerCase()
    for (const { call } of store.nodes()) if (call.name.toLowerCase().includes(lower)) matched.add(call.id)
    return matched
  }, [wanted, found.data, store])
}
