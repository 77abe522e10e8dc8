import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import type { Column } from './columns.ts'
import { readPathValues, type PathValues } from './read-path-values.ts'
import { PAGE_SIZE } from './use-call-list.ts'

const NONE: PathValues = new Map()

/**
 * Values of the path columns, by call and path. They load after the list, because documents may be large. `ids` are the
 * calls of the list as loaded; `live` are calls that started or changed since.
 */
export function usePathValues(
  project: Project,
  ids: readonly string[],
  live: ReadonlyMap<string, CallListItem>,
  columns: readonly Column[],
): PathValues {
  const paths = columns.flatMap(({ path }) => (path === undefined ? [] : [path]))
  const chunks = paths.length === 0 ? [] : chunk(ids)
  const loaded = useQueries({
    queries: chunks.map((callIds) => ({
      queryKey: ['path values', project.project_id, paths, callIds],
      queryFn: ({ signal }: { signal: AbortSignal }) => readPathValues(project, callIds, paths, signal),
      staleTime: 60_000,
    })),
    combine: mergeResults,
  })
  const changed = useLiveValues(project, live, paths)
  return useMemo(() => (changed.size === 0 ? loaded : new Map([...loaded, ...changed])), [loaded, changed])
}

function mergeResults(results: readonly { readonly data: PathValues | undefined }[]): PathValues {
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [...data])))
}

/** Values of live calls. A call is read again whenever the live feed updates it. */
function useLiveValues(
  project: Project,
  live: ReadonlyMap<string, CallListItem>,
  paths: readonly string[],
): PathValues {
  const [values, setValues] = useState(NONE)
  const lastSeen = useRef<ReadonlyMap<string, CallListItem>>(new Map())
  const abortController = useRef<AbortController>(undefined)
  const key = JSON.stringify([project.project_id, paths])
  useEffect(() => {
    abortController.current = new AbortController()
    lastSeen.current = new Map()
    setValues(NONE)
    return () => abortController.current?.abort()
  }, [key])
  useEffect(() => {
    // The list was reloaded and contains all live calls.
    if (live.size === 0) setValues(NONE)
    const changedCalls =
      paths.length === 0 ? [] : [...live].filter(([id, call]) => lastSeen.current.get(id) !== call)
    lastSeen.current = live
    const signal = abortController.current?.signal ?? new AbortController().signal
    const read = async (ids: readonly string[]): Promise<void> => {
      const result = await readPathValues(project, ids, paths, signal)
      // A call that changed again in the meantime has a newer read under way.
      const current = [...result].filter(([id]) => lastSeen.current.get(id) === live.get(id))
      if (!signal.aborted) setValues((before) => new Map([...before, ...current]))
    }
    // A failed read leaves the cell empty; the requests of the list report the error.
    for (const callIds of chunk(changedCalls.map(([id]) => id))) read(callIds).catch(() => undefined)
  }, [live, key])
  return values
}

function chunk(ids: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let i = 0; i < ids.length; i += PAGE_SIZE) chunks.push(ids.slice(i, i + PAGE_SIZE))
  return chunks
}
