import { currentRequest } from '../../core/concurrency/request-scope.ts'
import type { Statement } from '../query/sql.ts'

/** The slow-query log: statements above a threshold, with everything needed to run them again by hand. */
export interface SlowQueryLogOptions {
  /** 0 turns the log off. */
  readonly thresholdMs: number
  /** Whether bound values, which are data of callers, are logged too. */
  readonly withValues: boolean
  readonly log: (line: object, message: string) => void
}

/** From the `X-ClickHouse-Summary` response header. */
export interface QuerySummary {
  readonly read_rows: string
  readonly read_bytes: string
}

interface LoggedStatement {
  readonly name: string
  readonly kind: string
  /** Whether a password is among the bound values, which are never logged then. */
  readonly hasSecrets?: boolean
}

export class SlowQueryLog {
  readonly #options: SlowQueryLogOptions | undefined

  constructor(options: SlowQueryLogOptions | undefined) {
    this.#options = options
  }

  /**
   * Returns the function to call when the statement is done; only its first call counts. `read_rows` and `read_bytes`
   * are counted up to the start of the response, so they are too low for long responses.
   */
  watch(
    statement: Statement,
    { name, kind, hasSecrets = false }: LoggedStatement,
  ): (summary: QuerySummary | undefined, failure?: unknown) => void {
    const options = this.#options
    if (options === undefined || options.thresholdMs === 0) return () => {}
    const scope = currentRequest()
    const start = performance.now()
    let isDone = false
    return (summary, failure) => {
      if (isDone) return
      isDone = true
      const ms = performance.now() - start
      if (ms < options.thresholdMs) return
      options.log(
        {
          name,
          kind,
          request_id: scope?.request_id,
          project_id: scope?.project_id,
          ms: Math.round(ms),
          ...(summary === undefined
            ? {}
            : { read_rows: Number(summary.read_rows), read_bytes: Number(summary.read_bytes) }),
          sql: statement.text,
          ...(options.withValues && !hasSecrets ? { values: statement.params } : {}),
          ...(failure === undefined ? {} : { failure: (failure as Error).message }),
        },
        'slow query',
      )
    }
  }
}

/** Undefined if ClickHouse, or a proxy in front of it, sends no readable summary. */
export function parseSummary(headers: Readonly<Record<string, unknown>>): QuerySummary | undefined {
  const text = headers['x-clickhouse-summary']
  try {
    return typeof text === 'string' ? (JSON.parse(text) as QuerySummary) : undefined
  } catch {
    return undefined
  }
}
