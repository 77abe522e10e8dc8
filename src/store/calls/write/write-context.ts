import type { RecordClock } from '../../../core/calls/record-clock.ts'
import type { ColumnExtractor } from '../columns/column-extractor.ts'

/** What all writers of calls of one process share. */
export interface WriteContext {
  /** Stamps records in the order of their arrival. */
  readonly clock: RecordClock
  /** Computes the columns of rows that come from payloads. */
  readonly columns: ColumnExtractor
}
