import type { TestServer } from './harness.ts'

/** An answer in SQL, its lines read. */
export interface SqlAnswer {
  readonly status: number
  readonly text: string
  readonly columns: readonly { name: string; type: string }[]
  readonly rows: readonly unknown[][]
  readonly end: { rows: number; is_cut: boolean } | undefined
}

export type AskSql = (project_id: string, query: string, more?: object) => Promise<SqlAnswer>

/** `parameters` may be given as JSON text, for numbers that JavaScript would round. */
export function sqlCaller(server: Pick<TestServer, 'send'>): AskSql {
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
      end: lines.at(-1)?.rows === undefined ? undefined : (lines.at(-1) as SqlAnswer['end']),
    }
  }
}

interface Line {
  columns?: { name: string; type: string }[]
  row?: unknown[]
  rows?: number
}
