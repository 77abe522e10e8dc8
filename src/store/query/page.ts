import { type Sql, sql } from './sql.ts'

/** `limit` and `offset` of a list; the whole list if neither is set. */
export interface Page {
  readonly limit: number | undefined
  readonly offset: number | undefined
}

interface RequestedPage {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

export function requestedPage({ limit, offset }: RequestedPage): Page {
  return { limit: limit ?? undefined, offset: offset ?? undefined }
}

/** The LIMIT and OFFSET clauses. ClickHouse accepts an offset without a limit. */
export function page({ limit, offset }: Page): Sql {
  const rows = limit === undefined ? sql`` : sql`LIMIT ${limit}`
  return offset === undefined ? rows : sql`${rows} OFFSET ${offset}`
}
