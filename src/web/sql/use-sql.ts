import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { cellTexts } from './cell-texts.ts'

export interface SqlColumn {
  readonly name: string
  /** ClickHouse type. */
  readonly type: string
}

export interface SqlResult {
  readonly columns: readonly SqlColumn[]
  /** Cell texts: decoded strings, and the original JSON of other values. */
  readonly rows: readonly (readonly string[])[]
  /** Whether the result has more rows. */
  readonly isTruncated: boolean
  readonly ms: number
}

export const MAX_ROWS = 10_000

/** Result of a query. It runs once and is never refetched automatically, because queries can be expensive. */
export function useSql(project: Project, query: string | undefined) {
  return useQuery({
    queryKey: ['sql', project.project_id, query],
    queryFn: ({ signal }) => runSql(project, query ?? '', signal),
    enabled: query !== undefined,
    staleTime: Infinity,
    retry: false,
  })
}

async function runSql(project: Project, query: string, signal: AbortSignal): Promise<SqlResult> {
  const startMs = performance.now()
  const lines = await api.call('project_sql', { ...projectParams(project), query, limit: MAX_ROWS }, signal)
  let columns: readonly SqlColumn[] = []
  const rows: (readonly string[])[] = []
  let end: { readonly is_cut: boolean } | undefined
  for await (const line of lines) {
    if ('columns' in line) columns = line.columns
    else if ('row' in line) rows.push(cellTexts(line.row.text))
    else end = line
  }
  if (end === undefined) throw new Error('the response was cut off before its end')
  return { columns, rows, isTruncated: end.is_cut, ms: performance.now() - startMs }
}
