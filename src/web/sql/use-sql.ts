import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { cellTexts } from './cell-texts.ts'

export interface SqlColumn {
  readonly name: string
  /** As ClickHouse names it. */
  readonly type: string
}

export interface SqlResult {
  readonly columns: readonly SqlColumn[]
  /** What each cell shows: texts without their quotes, everything else as it was sent. */
  readonly rows: readonly (readonly string[])[]
  /** There were more rows. */
  readonly isCut: boolean
  readonly ms: number
}

export const MOST_ROWS = 10_000

/** The answer to a query. It is asked once and again only by hand: nobody wants a heavy one to run by itself. */
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
  const began = performance.now()
  const lines = await api.call('project_sql', { ...inPath(project), query, limit: MOST_ROWS }, signal)
  let columns: readonly SqlColumn[] = []
  const rows: (readonly string[])[] = []
  let end: { readonly is_cut: boolean } | undefined
  for await (const line of lines) {
    if ('columns' in line) columns = line.columns
    else if ('row' in line) rows.push(cellTexts(line.row.text))
    else end = line
  }
  if (end === undefined) throw new Error('the answer was cut off before its end')
  return { columns, rows, isCut: end.is_cut, ms: performance.now() - began }
}
