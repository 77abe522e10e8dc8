import { ApiError } from '../../contract/api-error.ts'
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

export function checkPage(requested: RequestedPage): Page {
  const limit = requested.limit ?? undefined
  const offset = requested.offset ?? undefined
  if (limit !== undefined && limit < 0) throw new ApiError('invalid_request', 'limit must not be negative')
  if (offset !== undefined && offset < 0) throw new ApiError('invalid_request', 'offset must not be negative')
  return { limit, offset }
}

/** The LIMIT and OFFSET clauses. ClickHouse accepts an offset without a limit. */
export function page({ limit, offset }: Page): Sql {
  const rows = limit === undefined ? sql`` : sql`LIMIT ${limit}`
  return offset === undefined ? rows : sql`${rows} OFFSET ${offset}`
}
