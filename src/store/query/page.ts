import { ApiError } from '../../contract/api-error.ts'
import { type Sql, sql } from './sql.ts'

/** Which part of a list: all of it when neither is set. */
export interface Page {
  readonly limit: number | undefined
  readonly offset: number | undefined
}

interface AskedPage {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

export function checkPage(asked: AskedPage): Page {
  const limit = asked.limit ?? undefined
  const offset = asked.offset ?? undefined
  if (limit !== undefined && limit < 0) throw new ApiError('invalid_request', 'limit must not be negative')
  if (offset !== undefined && offset < 0) throw new ApiError('invalid_request', 'offset must not be negative')
  return { limit, offset }
}

/** Closes a statement; the engine takes an offset without a limit too. */
export function page({ limit, offset }: Page): Sql {
  const rows = limit === undefined ? sql`` : sql`LIMIT ${limit}`
  return offset === undefined ? rows : sql`${rows} OFFSET ${offset}`
}
