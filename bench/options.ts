/** The options of every bench, from the command line. */
export interface BenchOptions {
  readonly seconds: number
  /** Number of calls in the measured project. */
  readonly calls: number
  /** Concurrent ingest load in calls per second, for the bench `reads`; 0 = none. */
  readonly arriving: number
  /** A data directory that is kept, so that the next run can reuse its data, for the bench `reads`. */
  readonly data: string | undefined
  /** The Git revision to compare with, for the bench `compare`. */
  readonly base: string
  /** Names of the parts to run; empty = all. */
  readonly only: readonly string[]
  readonly print: (line: string) => void
}
