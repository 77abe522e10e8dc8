import { z } from 'zod'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson, rawObject } from '../raw-json.ts'

/** SQL that people write, over views of one project. docs/sql.md teaches it by example. */

export const SQL_ROWS = { usual: 10_000, most: 1_000_000 } as const

/** As one field of a form it must stay below 128 KiB, whatever its characters. */
const SQL_CHARACTERS = 40_000

const sqlRequest = inProject({
  query: z.string().min(1).max(SQL_CHARACTERS).meta({
    description:
      'one SELECT of ClickHouse over the views `calls`, `usage`, `feedback`, `objects` and `table_rows`; no FORMAT, no SETTINGS',
  }),
  parameters: rawObject.nullish().meta({
    type: 'object',
    description:
      'values for `{name:Type}` in the query: texts, numbers, true, false, null, or lists of them; integers of any size stay exact',
  }),
  limit: z
    .int()
    .min(1)
    .max(SQL_ROWS.most)
    .nullish()
    .meta({ description: `rows that are answered at most; ${SQL_ROWS.usual} unless told` }),
})

export type SqlRequest = z.output<typeof sqlRequest>

const columnsLine = z.object({
  columns: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .meta({ description: 'the first line; types as ClickHouse names them' }),
})

const rowLine = z.object({
  row: rawJson.meta({
    type: 'array',
    description:
      'one value for each column. Integers of 64 bits and more, decimals, `nan` and `inf` are texts, so that nothing is rounded',
  }),
})

const endLine = z.object({
  rows: z.int().meta({ description: 'the last line; an answer without it is not whole' }),
  is_cut: z.boolean().meta({ description: 'there were more rows than `limit`' }),
})

export type SqlLine = z.output<typeof columnsLine> | z.output<typeof rowLine> | z.output<typeof endLine>

export const projectSqlOperations = {
  project_sql: operation({
    path: '/api/v1/projects/{entity}/{project}/sql',
    summary: "Ask in SQL, over views of this project's calls, usage, feedback, objects and tables.",
    access: 'read',
    request: sqlRequest,
    response: z.union([columnsLine, rowLine, endLine]),
    responseFormat: 'jsonl',
  }),
}
