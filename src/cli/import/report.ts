import { ApiError } from '../../contract/api-error.ts'

/** Counts of one record type at the source and at the target. */
export interface SideCounts {
  readonly from: number
  readonly to: number
}

/** Problems beyond this number are counted, not listed. */
const MAX_LISTED = 50

/** The result of an import, printed at its end. */
export class Report {
  /** Counts of this run only. */
  readonly copied = { calls: 0, objects: 0, tables: 0, rows: 0, files: 0, feedback: 0, costs: 0 }
  readonly counts: Record<string, SideCounts> = {}
  readonly digests = { equal: 0, renamed: 0 }
  readonly problems: string[] = []
  problemCount = 0
  /** Referenced by the project but missing at the source. */
  readonly missing: string[] = []
  missingCount = 0

  addProblem(item: string, reason: unknown): void {
    this.problemCount++
    if (this.problems.length < MAX_LISTED) this.problems.push(`${item}: ${errorText(reason)}`)
  }

  addMissing(item: string): void {
    this.missingCount++
    if (this.missing.length < MAX_LISTED) this.missing.push(item)
  }

  get isComplete(): boolean {
    return this.problemCount === 0 && Object.values(this.counts).every(({ from, to }) => to >= from)
  }
}

function errorText(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

/** Whether the server rejected the item permanently, so that retrying is pointless and the rest can be copied. */
export function isRejection(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    ['invalid_request', 'unprocessable', 'too_large', 'conflict', 'not_found'].includes(error.code)
  )
}
