import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { eachChild, kindAt, stringAt } from '../../client/browser/json-scan.ts'
import { parseRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { valueAt } from '../json/value-at.ts'

/** The storage of a dataset's rows: a table on the server, or a list in the value itself. */
export type TableSource =
  | { readonly kind: 'stored'; readonly digest: string }
  | { readonly kind: 'inline'; readonly rows: readonly string[] }

/** The table source in the value of a dataset; undefined if it has no readable rows. */
export function tableSource(val: string): TableSource | undefined {
  const rows = valueAt(val, ['rows'])
  if (rows === undefined) return undefined
  if (kindAt(rows, 0) === 'array') {
    const inline: string[] = []
    eachChild(rows, 0, (_, at, end) => void inline.push(rows.slice(at, end)))
    return { kind: 'inline', rows: inline }
  }
  if (kindAt(rows, 0) !== 'string') return undefined
  const ref = parseRef(stringAt(rows, 0))
  return ref?.kind === 'table' ? { kind: 'stored', digest: ref.id } : undefined
}

const PAGE_SIZE = 100
const MAX_ROWS_PER_READ = 1000

async function readRows(
  { project_id }: Project,
  source: TableSource,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (source.kind === 'inline') return source.rows.slice(offset, offset + limit)
  const { rows } = await api.call('table_query', { project_id, digest: source.digest, offset, limit }, signal)
  return rows.map(({ val }) => val.text)
}

/** Reads rows from the start, up to `maxRows`. */
export async function readAllRows(
  project: Project,
  source: TableSource,
  maxRows: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const all: string[] = []
  while (all.length < maxRows) {
    const rows = await readRows(
      project,
      source,
      all.length,
      Math.min(MAX_ROWS_PER_READ, maxRows - all.length),
      signal,
    )
    all.push(...rows)
    if (rows.length < MAX_ROWS_PER_READ) break
  }
  return all
}

export function useRowCount({ project_id }: Project, source: TableSource | undefined) {
  return useQuery({
    queryKey: ['table count', project_id, source],
    queryFn: async ({ signal }) => {
      if (source?.kind !== 'stored') return source?.rows.length ?? 0
      const { count } = await api.call('table_query_stats', { project_id, digest: source.digest }, signal)
      return count
    },
    staleTime: Infinity,
  })
}

export interface TableRows {
  /** Undefined until the row is loaded. */
  readonly at: (index: number) => string | undefined
  /** The loaded pages. */
  readonly pages: readonly (readonly string[])[]
  readonly error: Error | null
}

/** The rows of the visible range. Pages are loaded when they become visible, and cached. */
export function useTableRows(
  project: Project,
  source: TableSource,
  count: number,
  from: number,
  to: number,
): TableRows {
  const first = Math.floor(Math.max(0, from) / PAGE_SIZE)
  const last = Math.floor(Math.min(Math.max(0, count - 1), to) / PAGE_SIZE)
  const pageNumbers =
    count === 0 ? [] : Array.from({ length: Math.max(0, last - first) + 1 }, (_, i) => first + i)
  const key = source.kind === 'stored' ? source.digest : source.rows
  const pageQueries = useQueries({
    queries: pageNumbers.map((page) => ({
      queryKey: ['table rows', project.project_id, key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readRows(project, source, page * PAGE_SIZE, PAGE_SIZE, signal),
      // Tables are immutable: other content has another digest.
      staleTime: Infinity,
    })),
  })
  const pages = pageQueries.map(({ data }) => data)
  const at = useCallback(
    (index: number) => pages[Math.floor(index / PAGE_SIZE) - first]?.[index % PAGE_SIZE],
    [first, ...pages],
  )
  const loadedPages = useMemo(() => pages.flatMap((page) => (page === undefined ? [] : [page])), pages)
  return { at, pages: loadedPages, error: pageQueries.find(({ error }) => error !== null)?.error ?? null }
}
