import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { rawJson, rawObject } from '../raw-json.ts'
import { MAX_SQL_CHARACTERS, SQL_ROW_LIMIT } from '../limits.ts'

/** User-written SQL over views of one project. See docs/sql.md for examples. */

const sqlRequest = projectRequest({
  query: z.string().min(1).max(MAX_SQL_CHARACTERS).meta({
    description:
      'One ClickHouse SELECT over the views `calls`, `usage`, `feedback`, `objects` and `table_rows`, without FORMAT and SETTINGS.',
  }),
  parameters: rawObject.nullish().meta({
    type: 'object',
    description:
      'Values of `{name:Type}` parameters in the query: strings, numbers, true, false, null, or arrays of them. Integers of any size stay exact.',
  }),
  limit: z
    .int()
    .min(1)
    .max(SQL_ROW_LIMIT.max)
    .nullish()
    .meta({ description: `Maximum number of rows; default ${SQL_ROW_LIMIT.default}.` }),
})

export type SqlRequest = z.output<typeof sqlRequest>

const columnsLine = z.object({
  columns: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .meta({ description: 'First line of the response, with ClickHouse type names.' }),
})

const rowLine = z.object({
  row: rawJson.meta({
    type: 'array',
    description:
      'One value per column. Integers of 64 bits or more, decimals, `nan` and `inf` are strings, so that no value is rounded.',
  }),
})

const endLine = z.object({
  rows: z.int().meta({ description: 'Last line of the response; without it the response is incomplete.' }),
  is_cut: z.boolean().meta({ description: 'Whether rows beyond `limit` were dropped.' }),
})

export type SqlLine = z.output<typeof columnsLine> | z.output<typeof rowLine> | z.output<typeof endLine>

export const projectSqlOperations = {
  project_sql: operation({
    path: '/api/v1/projects/{entity}/{project}/sql',
    summary: "Run a SQL query over views of the project's calls, usage, feedback, objects and tables.",
    access: 'read',
    errors: ['not_implemented'],
    request: sqlRequest,
    response: z.union([columnsLine, rowLine, endLine]),
    responseFormat: 'jsonl',
  }),
}
