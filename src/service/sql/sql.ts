import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { SQL_ROWS, type SqlLine, type SqlRequest } from '../../contract/sql/sql.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { entries, items, stringOf } from '../../core/json/navigate.ts'
import { ConcurrencyLimiter } from '../../core/concurrency/concurrency-limiter.ts'
import type { Analyst } from '../../store/sql/sql-sandbox.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** SQL of people, run by store/project-sql/analyst.ts. */
export function projectSqlHandlers({ analyst }: Deps): Pick<Handlers, 'project_sql'> {
  const turns = new ConcurrencyLimiter(AT_ONCE)
  return {
    project_sql: async (request, _caller, signal) => answer(analyst, turns, request, signal),
  }
}

/** Queries that run at once at one process; the engine has a limit for all processes. Nobody waits for a turn. */
const AT_ONCE = { maxConcurrent: 16, maxPerProject: 4, waitMs: 0 } as const

async function* answer(
  analyst: Analyst,
  turns: ConcurrencyLimiter,
  request: SqlRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<SqlLine> {
  const parameters = parametersOf(request.parameters)
  const limit = request.limit ?? SQL_ROWS.usual
  const done = turns.takeNow(request.project_id)
  if (done === undefined)
    throw new ApiError('rate_limited', 'too many queries in SQL are running; ask again when one has ended')
  const leaving = new AbortController()
  const left = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
  try {
    const lines = analyst.ask(request.project_id, request.query, parameters, left)
    const names = await lines.next()
    const types = await lines.next()
    yield { columns: columnsOf(names.value as string | undefined, types.value as string | undefined) }
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
    // Whoever has read enough, or is gone, lets the engine stop.
    leaving.abort()
    done()
  }
}

/** A statement that answers nothing, such as USE, has none. */
function columnsOf(names: string | undefined, types: string | undefined): { name: string; type: string }[] {
  const of = JSON.parse(types ?? '[]') as string[]
  return (JSON.parse(names ?? '[]') as string[]).map((name, i) => ({ name, type: of[i] ?? '' }))
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const MOST_PARAMETERS = 100

function parametersOf(given: RawJson | null | undefined): Record<string, unknown> {
  const named = given === null || given === undefined ? [] : entries(given)
  if (named.length > MOST_PARAMETERS) throw unprocessable(['body', 'parameters'], 'has more than 100 members')
  return Object.fromEntries(
    named.map(([name, value]) => {
      if (!NAME.test(name)) throw unprocessable(['body', 'parameters', name], 'is no name of a parameter')
      return [name, isNumber(value) ? value.text : valueOf(value, name)]
    }),
  )
}

function isNumber(value: RawJson): boolean {
  return /^-?\d/.test(value.text)
}

/** As the client of the engine takes it; within lists numbers must be numbers, and large integers exact. */
function valueOf(value: RawJson, name: string): unknown {
  const { text } = value
  if (text.startsWith('"')) return stringOf(value)
  if (text.startsWith('[')) return items(value).map((item) => valueOf(item, name))
  if (/^-?\d+$/.test(text)) return BigInt(text)
  if (isNumber(value)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  throw unprocessable(
    ['body', 'parameters', name],
    'must be a text, a number, true, false, null or a list of them',
  )
}
