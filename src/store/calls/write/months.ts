import type { CallFacts } from '../../../core/calls/call-facts.ts'
import { type Micros, parseTime } from '../../../core/time/time.ts'
import { RowWriter } from '../../database/row-binary.ts'

/**
 * The months of calls, which are the partitions of the table. ClickHouse writes a part for every month of an insert, about as
 * expensive as an insert of its own: 360 starts of 360 months took 11 s, in which nobody else could write.
 */
export const MAX_MONTHS_PER_INSERT = 12

/** A month as 202611; 0 for all times before 2020 and from 2050 on, which share a partition. */
export type Month = number

const FIRST: Micros = parseTime('2020-01-01T00:00:00Z') ?? 0n
const END: Micros = parseTime('2050-01-01T00:00:00Z') ?? 0n

/** Most calls are of the month of the call before. */
let last: { readonly from: Micros; readonly to: Micros; readonly month: Month } = {
  from: 0n,
  to: 0n,
  month: 0,
}

/** As the PARTITION BY of the table `calls` in migrations/0001_initial.sql. */
export function monthOf(started_at: Micros): Month {
  if (started_at >= last.from && started_at < last.to) return last.month
  if (started_at < FIRST || started_at >= END) return 0
  const date = new Date(Number(started_at / 1000n))
  const [year, index] = [date.getUTCFullYear(), date.getUTCMonth()]
  last = {
    from: BigInt(Date.UTC(year, index)) * 1000n,
    to: BigInt(Date.UTC(year, index + 1)) * 1000n,
    month: year * 100 + index + 1,
  }
  return last.month
}

/** Undefined without a start: only ClickHouse knows it. */
export function monthOfCall(call: Pick<CallFacts, 'start' | 'startedAt'>): Month | undefined {
  const started_at = call.startedAt ?? call.start?.started_at
  return started_at === undefined ? undefined : monthOf(started_at)
}

/** Most calls start in the present month, or in one of those beside it. */
export function commonMonths(nowMs: number): ReadonlySet<Month> {
  const now = new Date(nowMs)
  return new Set(
    [-1, 0, 1].map((offset) =>
      monthOf(BigInt(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)) * 1000n),
    ),
  )
}

/** Rows that are built for several inserts, each of at most `MAX_MONTHS_PER_INSERT` months. */
export class RowsByMonth {
  readonly #groups: RowWriter[] = []
  readonly #groupOf = new Map<Month, RowWriter>()

  /** Where to write a row with this start. */
  at(started_at: Micros): RowWriter {
    const month = monthOf(started_at)
    const known = this.#groupOf.get(month)
    if (known !== undefined) return known
    if (this.#groupOf.size % MAX_MONTHS_PER_INSERT === 0) this.#groups.push(new RowWriter())
    const group = this.#groups.at(-1) as RowWriter
    this.#groupOf.set(month, group)
    return group
  }

  take(): Buffer[] {
    return this.#groups.map((group) => group.take())
  }
}
