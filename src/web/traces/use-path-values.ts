import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import type { CallFacts } from '../call/call-facts.ts'
import type { Column } from './columns.ts'
import { readPathValues, type Values } from './read-path-values.ts'
import { PAGE_SIZE } from './use-call-list.ts'

const NONE: Values = new Map()

/**
 * Values for columns out of documents, by call and path. The list does not wait for them: documents may be large.
 * `ids` are those of the list as it was read, `live` is what has begun or changed since.
 */
export function usePathValues(
  project: Project,
  ids: readonly string[],
  live: ReadonlyMap<string, CallFacts>,
  columns: readonly Column[],
): Values {
  const paths = columns.flatMap(({ path }) => (path === undefined ? [] : [path]))
  const groups = paths.length === 0 ? [] : inGroups(ids)
  const read = useQueries({
    queries: groups.map((group) => ({
      queryKey: ['path values', project.project_id, paths, group],
      queryFn: ({ signal }: { signal: AbortSignal }) => readPathValues(project, group, paths, signal),
      staleTime: 60_000,
    })),
    combine: together,
  })
  const changed = useLiveValues(project, live, paths)
  return useMemo(() => (changed.size === 0 ? read : new Map([...read, ...changed])), [read, changed])
}

function together(answers: readonly { readonly data: Values | undefined }[]): Values {
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [...data])))
}

/** Of what has begun or changed, each call is asked for again whenever the list has news of it. */
function useLiveValues(
  project: Project,
  live: ReadonlyMap<string, CallFacts>,
  paths: readonly string[],
): Values {
  const [values, setValues] = useState(NONE)
  const known = useRef<ReadonlyMap<string, CallFacts>>(new Map())
  const ending = useRef<AbortController>(undefined)
  const what = JSON.stringify([project.project_id, paths])
  useEffect(() => {
    ending.current = new AbortController()
    known.current = new Map()
    setValues(NONE)
    return () => ending.current?.abort()
  }, [what])
  useEffect(() => {
    // The list was read again: it has them all.
    if (live.size === 0) setValues(NONE)
    const news = paths.length === 0 ? [] : [...live].filter(([id, call]) => known.current.get(id) !== call)
    known.current = live
    const signal = ending.current?.signal ?? new AbortController().signal
    const read = async (ids: readonly string[]): Promise<void> => {
      const answer = await readPathValues(project, ids, paths, signal)
      // What has changed again meanwhile was asked for again too.
      const current = [...answer].filter(([id]) => known.current.get(id) === live.get(id))
      if (!signal.aborted) setValues((before) => new Map([...before, ...current]))
    }
    // A cell that stays empty is told by the requests of the list itself.
    for (const group of inGroups(news.map(([id]) => id))) read(group).catch(() => undefined)
  }, [live, what])
  return values
}

function inGroups(ids: readonly string[]): string[][] {
  const groups: string[][] = []
  for (let i = 0; i < ids.length; i += PAGE_SIZE) groups.push(ids.slice(i, i + PAGE_SIZE))
  return groups
}
