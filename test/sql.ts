import type { TestServer } from './harness.ts'

/** The parsed response of a SQL query. */
export interface SqlResponse {
  readonly status: number
  readonly text: string
  readonly columns: readonly { name: string; type: string }[]
  readonly rows: readonly unknown[][]
  readonly end: { rows: number; is_cut: boolean } | undefined
}

export type RunSql = (project_id: string, query: string, more?: object) => Promise<SqlResponse>

/** Runs SQL queries over HTTP. `parameters` may be JSON text, for numbers that JavaScript would round. */
export function sqlRunner(server: Pick<TestServer, 'send'>): RunSql {
  return async (project_id, query, more = {}) => {
    const [entity = '', project = ''] = project_id.split('/').map(encodeURIComponent)
    const { parameters, ...rest } = more as { parameters?: string }
    const body = JSON.stringify({ query, ...rest }).replace(
      /}$/,
      parameters === undefined ? '}' : `,"parameters":${parameters}}`,
    )
    const { status, text } = await server.send(`/api/v1/projects/${entity}/${project}/sql`, body)
    const lines =
      status === 200
        ? text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Line)
        : []
    return {
      status,
      text,
      columns: lines[0]?.columns ?? [],
      rows: lines.flatMap(({ row }) => (row === undefined ? [] : [row])),
      end: lines.at(-1)?.rows === undefined ? undefined : (lines.at(-1) as SqlResponse['end']),
    }
  }
}

interface Line {
  columns?: { name: string; type: string }[]
  row?: unknown[]
  rows?: number
}
