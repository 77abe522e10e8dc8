import { ApiError, unprocessable } from '../../contract/api-error.ts'
import type { SqlLine, SqlRequest } from '../../contract/sql/sql.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries, items, stringValue } from '../../core/json/navigate.ts'
import { ConcurrencyLimiter, type ReachedLimit } from '../../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import type { SqlSandbox } from '../../store/sql/sql-sandbox.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { MAX_SQL_PARAMETERS, SQL_ROW_LIMIT } from '../../contract/limits.ts'

/** Handler for users' SQL queries, which store/sql/sql-sandbox.ts runs. */
export function sqlHandlers({ sqlSandbox }: Deps): Pick<Handlers, 'project_sql'> {
  const limiter = new ConcurrencyLimiter(QUERY_LIMITS, tooManyQueries)
  return {
    project_sql: async (request, { user_id }) => runQuery(sqlSandbox, limiter, request, user_id),
  }
}

/** Limits of concurrent queries per process. Some wait, further ones are rejected. */
const QUERY_LIMITS = {
  maxConcurrent: 8,
  maxPerUser: 2,
  maxPerProject: 4,
  maxWaitingPerUser: 8,
  waitMs: 10_000,
} as const

function tooManyQueries(limit: ReachedLimit): ApiError {
  const running = {
    user: `${QUERY_LIMITS.maxPerUser} SQL queries of this user`,
    project: `${QUERY_LIMITS.maxPerProject} SQL queries of this project`,
    process: `${QUERY_LIMITS.maxConcurrent} SQL queries`,
  }[limit]
  const reason = `${running} are running, the limit; try again when one has finished`
  return new ApiError('rate_limited', reason, { retryAfterSeconds: 5 })
}

async function* runQuery(
  sandbox: SqlSandbox,
  limiter: ConcurrencyLimiter,
  request: SqlRequest,
  user_id: string,
): AsyncGenerator<SqlLine> {
  const parameters = readParameters(request.parameters)
  const limit = request.limit ?? SQL_ROW_LIMIT.default
  const disconnected = currentRequest()?.signal
  const release = await limiter.acquire({ user_id, project_id: request.project_id }, disconnected)
  const abort = new AbortController()
  const aborted = disconnected === undefined ? abort.signal : AbortSignal.any([disconnected, abort.signal])
  try {
    const lines = sandbox.query(request.project_id, request.query, parameters, aborted)
    const names = await lines.next()
    const types = await lines.next()
    yield { columns: parseColumns(names.value as string | undefined, types.value as string | undefined) }
    let rows = 0
    for await (const line of lines) {
      if (rows === limit) {
        yield { rows, is_cut: true }
        return
      }
      rows++
      yield { row: RawJson.fromText(line) }
    }
    yield { rows, is_cut: false }
  } finally {
    // Cancels the query in ClickHouse if the client stopped reading.
    abort.abort()
    release()
  }
}

/** Parses the column names and types. A statement without a result, such as USE, has none. */
function parseColumns(
  names: string | undefined,
  types: string | undefined,
): { name: string; type: string }[] {
  const typeNames = JSON.parse(types ?? '[]') as string[]
  return (JSON.parse(names ?? '[]') as string[]).map((name, i) => ({ name, type: typeNames[i] ?? '' }))
}

const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

function readParameters(given: RawJson | null | undefined): Record<string, unknown> {
  const named = given === null || given === undefined ? [] : entries(given)
  if (named.length > MAX_SQL_PARAMETERS)
    throw unprocessable(['parameters'], `must have at most ${MAX_SQL_PARAMETERS} members`)
  return Object.fromEntries(
    named.map(([name, value]) => {
      if (!PARAMETER_NAME.test(name))
        throw unprocessable(['parameters', name], 'is not a valid name; use letters, digits and "_"')
      return [name, isNumber(value) ? value.text : parameterValue(value, name)]
    }),
  )
}

function isNumber(value: RawJson): boolean {
  return /^-?\d/.test(value.text)
}

/**
 * Converts a parameter for the ClickHouse client. Numbers in lists must be numbers, and large integers must stay
 * exact.
 */
function parameterValue(value: RawJson, name: string): unknown {
  const { text } = value
  if (text.startsWith('"')) return stringValue(value)
  if (text.startsWith('[')) return items(value).map((item) => parameterValue(item, name))
  if (/^-?\d+$/.test(text)) return BigInt(text)
  if (isNumber(value)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  throw unprocessable(['parameters', name], 'must be a string, number, true, false, null or a list of these')
}
