import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromEveryVersion } from '../query/scope.ts'
import { keyOf, moment, type Sql, sql } from '../query/sql.ts'
import { bucketOf, type Stretch } from '../metrics/project-stats.ts'

/**
 * Sums of whole buckets of time, kept at this node: a month of 10 M calls is added up once, and then only what is new.
 * Each time the engine is asked first in which buckets rows were inserted since: whatever they are, new calls, ends,
 * resends or deletions, those buckets are added up again. So a sum that is kept is the one that would be worked out.
 */
export class KeptSums {
  readonly #db: Database
  readonly #options: KeptSumsOptions
  /** By statement, the one asked for last at the end. */
  readonly #kept = new Map<string, Kept>()

  constructor(db: Database, options = USUAL) {
    this.#db = db
    this.#options = options
  }

  /** The rows of all buckets, in no order. */
  async list<Row extends SumsRow>(sums: Sums<Row>): Promise<Row[]> {
    const whole = wholeBuckets(sums)
    if (whole.length === 0) return sums.read([sums.buckets])
    const kept = await this.#current(sums)
    const known = whole.filter(({ bucket }) => kept.buckets.has(bucket))
    const found = known.flatMap(({ bucket }) => kept.buckets.get(bucket) as readonly Row[])
    const missing = between(sums.buckets, known)
    if (missing.length === 0) return found
    if (missing.length > MOST_STRETCHES) return sums.read([sums.buckets])
    const read = await sums.read(missing)
    // Perhaps not all of them.
    if (sums.limit !== undefined && read.length >= sums.limit) return read
    const isKnown = new Set(known.map(({ bucket }) => bucket))
    const added = new Map<number, Row[]>()
    for (const { bucket } of whole) if (!isKnown.has(bucket)) added.set(bucket, [])
    for (const row of read) added.get(Number(row.bucket))?.push(row)
    for (const [bucket, rows] of added) kept.buckets.set(bucket, rows)
    this.#forget()
    return [...found, ...read]
  }

  /** What is kept for this statement, less the buckets in which something changed. */
  async #current({ project_id, buckets, statement }: Sums<SumsRow>): Promise<Kept> {
    const key = keyOf(statement([]))
    const checkedAt = this.#kept.get(key)?.checkedAt
    const since = checkedAt === undefined ? undefined : checkedAt - this.#options.margin
    const [changes] = await this.#db.rows<Changes>(selectChanges(project_id, buckets, since), {
      name: 'changes since sums were kept',
      kind: 'scan',
    })
    // Another request may have made it meanwhile.
    const kept = this.#kept.get(key) ?? { checkedAt: 0n, buckets: new Map<number, SumsRow[]>() }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    for (const bucket of changes?.buckets ?? []) kept.buckets.delete(Number(bucket))
    kept.checkedAt = BigInt(changes?.now ?? 0)
    return kept
  }

  #forget(): void {
    let rows = 0
    for (const { buckets } of this.#kept.values()) for (const [, of] of buckets) rows += 1 + of.length
    for (const [key, { buckets }] of this.#kept) {
      if (rows <= this.#options.maxRows) return
      for (const [, of] of buckets) rows -= 1 + of.length
      this.#kept.delete(key)
    }
  }
}

interface KeptSumsOptions {
  /** Of all projects together, some 300 bytes each; those asked for longest ago go first. */
  readonly maxRows: number
  /**
   * A row is marked with the time at which its insert began, and shows when it ended. No insert may take as long as
   * this, and no clock of another replica may be as wrong.
   */
  readonly margin: Micros
}

const USUAL: KeptSumsOptions = { maxRows: 100_000, margin: 600_000_000n }

/** More stretches of time than this are read as one. */
const MOST_STRETCHES = 16

interface SumsRow {
  readonly bucket: string
}

export interface Sums<Row extends SumsRow> {
  readonly project_id: string
  readonly buckets: TimeBuckets
  /** When each bucket begins, in unix seconds. */
  readonly times: readonly number[]
  /** Of rows that `read` answers. */
  readonly limit?: number | undefined
  /** Beside the stretches of time it may depend on nothing but rows of calls. */
  readonly statement: (stretches: readonly Stretch[]) => Sql
  readonly read: (stretches: readonly Stretch[]) => Promise<Row[]>
}

interface Kept {
  /** By the engine's clock: what was inserted until then, less the margin, is in the sums. */
  checkedAt: Micros
  readonly buckets: Map<number, readonly SumsRow[]>
}

interface Changes {
  readonly buckets: readonly string[]
  readonly now: string
}

/** In which buckets rows were inserted, of whatever time; none without a beginning. */
export function selectChanges(project_id: string, buckets: TimeBuckets, since: Micros | undefined): Sql {
  const isNew = since === undefined ? sql`0` : sql`inserted_at >= ${moment(since)}`
  return sql`SELECT groupUniqArray(${bucketOf(sql`started_at`, buckets)}) AS buckets, toUnixTimestamp64Micro(now64(6)) AS now
${fromEveryVersion(project_id, 'calls')} AND ${isNew}`
}

interface Bucket extends Stretch {
  readonly bucket: number
}

/** Those that lie within the time asked for; nobody says where the last one ends, or the only one. */
function wholeBuckets({ buckets, times }: Pick<Sums<SumsRow>, 'buckets' | 'times'>): Bucket[] {
  if (buckets.calendar === 'none') return []
  return times
    .slice(0, -1)
    .map((bucket, i) => ({ bucket, start: micros(bucket), end: micros(times[i + 1] ?? bucket) }))
    .filter(({ start, end }) => start >= buckets.start && end <= buckets.end)
}

/** The time that these, which are in order, leave out. */
function between({ start, end }: Stretch, known: readonly Stretch[]): Stretch[] {
  const ends = [start, ...known.map((stretch) => stretch.end)]
  const starts = [...known.map((stretch) => stretch.start), end]
  return ends
    .map((last, i) => ({ start: last, end: starts[i] ?? end }))
    .filter((stretch) => stretch.start < stretch.end)
}

function micros(seconds: number): Micros {
  return BigInt(seconds) * 1_000_000n
}
