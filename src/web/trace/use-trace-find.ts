import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import type { TraceStore } from './trace-store.ts'

/** The calls of a trace whose name or documents contain a text; `undefined` without a text. */
export function useTraceFind(
  project: Project,
  traceId: string,
  store: TraceStore,
  text: string,
): ReadonlySet<string> | undefined {
  const [query] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    queryKey: ['find', project.project_id, traceId, query],
    queryFn: async ({ signal }) => {
      const { hits } = await api.call(
        'project_search',
        { ...projectParams(project), text: query, filter: { trace_ids: [traceId] }, limit: 200 },
        signal,
      )
      return hits.map(({ id }) => id)
    },
    enabled: query !== '' && traceId !== '',
    placeholderData: keepPreviousData,
  })
  return useMemo(() => {
    if (query === '') return undefined
    const matched = new Set(found.data ?? [])
    const lower = query.toLowerCase()
    for (const { call } of store.nodes()) if (call.name.toLowerCase().includes(lower)) matched.add(call.id)
    return matched
  }, [query, found.data, store])
}
