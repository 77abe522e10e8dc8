import { ApiError } from '../../contract/api-error.ts'

/** What of one thing there is on both sides, as each side counts it. */
export interface Counted {
  readonly from: number
  readonly to: number
}

/** Problems beyond this number are counted, not listed. */
const LISTED = 50

/** What became of an import; printed at its end. */
export class Report {
  /** Of this run, not of those before it. */
  readonly copied = { calls: 0, objects: 0, tables: 0, rows: 0, files: 0, feedback: 0, costs: 0 }
  readonly counts: Record<string, Counted> = {}
  readonly digests = { equal: 0, renamed: 0 }
  readonly problems: string[] = []
  problemCount = 0
  /** Named somewhere in the project, but not there at the source either. */
  readonly missing: string[] = []
  missingCount = 0

  problem(what: string, why: unknown): void {
    this.problemCount++
    if (this.problems.length < LISTED) this.problems.push(`${what}: ${sentence(why)}`)
  }

  isMissing(what: string): void {
    this.missingCount++
    if (this.missing.length < LISTED) this.missing.push(what)
  }

  get isWhole(): boolean {
    return this.problemCount === 0 && Object.values(this.counts).every(({ from, to }) => to >= from)
  }
}

function sentence(why: unknown): string {
  return why instanceof Error ? why.message : String(why)
}

/** Whether the server refused what was sent, and would again: the rest can still be copied. */
export function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    ['invalid_request', 'unprocessable', 'too_large', 'conflict', 'not_found'].includes(error.code)
  )
}
