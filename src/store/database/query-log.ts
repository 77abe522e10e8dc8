import type { Statement } from '../query/sql.ts'

/** Statements that took long, told with all that is needed to run them again by hand. */
export interface SlowQueriesOptions {
  /** 0 tells none. */
  readonly thresholdMs: number
  /** Whether the values that callers asked with may be told. */
  readonly withValues: boolean
  readonly say: (line: object, message: string) => void
}

export interface Watched {
  readonly name: string
  readonly kind: string
  readonly statement: Statement
  readonly request_id: string | undefined
  readonly project_id: string | undefined
}

/** As the engine tells it beside its answer. */
export interface Summary {
  readonly read_rows: string
  readonly read_bytes: string
}

export class SlowQueries {
  readonly #options: SlowQueriesOptions | undefined

  constructor(options: SlowQueriesOptions | undefined) {
    this.#options = options
  }

  /** Say when it is over; the first time counts. What was read is the engine's count when it began to answer: short for long answers. */
  watch(watched: Watched): (summary: Summary | undefined, failure?: unknown) => void {
    const options = this.#options
    if (options === undefined || options.thresholdMs === 0) return () => {}
    const start = performance.now()
    let isOver = false
    return (summary, failure) => {
      if (isOver) return
      isOver = true
      const ms = performance.now() - start
      if (ms < options.thresholdMs) return
      const { statement, ...rest } = watched
      options.say(
        {
          ...rest,
          ms: Math.round(ms),
          ...(summary === undefined
            ? {}
            : { read_rows: Number(summary.read_rows), read_bytes: Number(summary.read_bytes) }),
          sql: statement.text,
          ...(options.withValues ? { values: statement.params } : {}),
          ...(failure === undefined ? {} : { failure: (failure as Error).message }),
        },
        'slow query',
      )
    }
  }
}

/** Undefined if the engine, or a proxy before it, says nothing that can be read. */
export function summaryIn(headers: Readonly<Record<string, unknown>>): Summary | undefined {
  const text = headers['x-clickhouse-summary']
  try {
    return typeof text === 'string' ? (JSON.parse(text) as Summary) : undefined
  } catch {
    return undefined
  }
}
