import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import { isPartialResult } from '../../../core/concurrency/request-scope.ts'
import type { TimeBuckets } from '../../../core/metrics/time-buckets.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { fromAllVersions } from '../../query/scope.ts'
import { statementKey, moment, type Sql, sql } from '../../query/sql.ts'
import { timeBucket, type TimeRange } from '../../metrics/project-stats.ts'

/**
 * A cache of aggregates by time bucket, local to this node: a month of 10 M calls is aggregated once, and then only what
 * is new. Each read first asks ClickHouse in which buckets rows were inserted since. Whatever those rows are (new calls,
 * ends, resends, deletions), their buckets are aggregated again, so a cached value always equals a fresh one. Retention and
 * erasure insert no rows; after one of them, all buckets of the project are aggregated again.
 */
export class CachedAggregates {
  readonly #db: Database
  readonly #options: CacheOptions
  /** By statement; the least recently used are evicted. Sizes are in rows. */
  readonly #entries: BoundedMap<string, CacheEntry>

  constructor(db: Database, options = DEFAULT_CACHE_OPTIONS) {
    this.#db = db
    this.#options = options
    this.#entries = new BoundedMap(options.maxRows)
  }

  /** Forgets everything. Rows that a deletion of a project removes are not found among what is new. */
  clear(): void {
    this.#entries.clear()
  }

  /** The rows of all buckets, in no order. */
  async list<Row extends BucketRow>(query: AggregateQuery<Row>): Promise<Row[]> {
    const complete = completeBuckets(query)
    if (complete.length === 0) return query.read([query.buckets])
    const entry = await this.#refresh(query)
    // Without a shard, neither is what has changed known, nor may the result be cached.
    if (entry === undefined) return query.read([query.buckets])
    const cached = complete.filter(({ bucket }) => entry.buckets.has(bucket))
    const cachedRows = cached.flatMap(({ bucket }) => entry.buckets.get(bucket) as readonly Row[])
    const missing = uncoveredRanges(query.buckets, cached)
    if (missing.length === 0) return cachedRows
    if (missing.length > MAX_RANGES) return query.read([query.buckets])
    const read = await query.read(missing)
    if (isPartialResult()) return [...cachedRows, ...read]
    // The limit may have cut rows off, so nothing is cached.
    if (query.limit !== undefined && read.length >= query.limit) return read
    const isCached = new Set(cached.map(({ bucket }) => bucket))
    const added = new Map<number, Row[]>()
    for (const { bucket } of complete) if (!isCached.has(bucket)) added.set(bucket, [])
    for (const row of read) added.get(Number(row.bucket))?.push(row)
    for (const [bucket, rows] of added) entry.buckets.set(bucket, rows)
    // Unless it has been evicted.
    if (this.#entries.get(entry.key) === entry) this.#entries.set(entry.key, entry, rowCount(entry))
    return [...cachedRows, ...read]
  }

  /** The cache entry of the statement, without the buckets that have changed; undefined if a shard is left out. */
  async #refresh({
    project_id,
    buckets,
    statement,
  }: AggregateQuery<BucketRow>): Promise<CacheEntry | undefined> {
    const key = statementKey(statement([]))
    const checkedAt = this.#entries.get(key)?.checkedAt
    const since = checkedAt === undefined ? undefined : checkedAt - this.#options.marginMicros
    const [changes] = await this.#db.rows<ChangedBuckets>(selectChangedBuckets(project_id, buckets, since), {
      name: 'buckets changed since cached',
      kind: 'scan',
    })
    if (isPartialResult()) return undefined
    // Another request may have created it in the meantime.
    const entry = this.#entries.get(key) ?? { key, checkedAt: 0n, buckets: new Map<number, BucketRow[]>() }
    if (BigInt(changes?.deleted ?? 0) >= entry.checkedAt) entry.buckets.clear()
    for (const bucket of changes?.buckets ?? []) entry.buckets.delete(Number(bucket))
    entry.checkedAt = BigInt(changes?.now ?? 0)
    this.#entries.set(key, entry, rowCount(entry))
    return entry
  }
}

interface CacheOptions {
  /** Of all projects together, about 300 bytes each; the least recently used statements are evicted first. */
  readonly maxRows: number
  /**
   * `inserted_at` is the start of the insert, but its rows become visible at the end. No insert may take longer than
   * this, and no replica's clock may be off by more.
   */
  readonly marginMicros: Micros
}

const DEFAULT_CACHE_OPTIONS: CacheOptions = { maxRows: 100_000, marginMicros: 600_000_000n }

/** More missing ranges than this are read as one. */
const MAX_RANGES = 16

interface BucketRow {
  readonly bucket: string
}

export interface AggregateQuery<Row extends BucketRow> {
  readonly project_id: string
  readonly buckets: TimeBuckets
  /** The start of each bucket, in unix seconds. */
  readonly bucketStarts: readonly number[]
  /** Maximum number of rows that `read` returns. */
  readonly limit?: number | undefined
  /** Apart from the ranges, its result may depend on nothing but rows of `calls`. */
  readonly statement: (ranges: readonly TimeRange[]) => Sql
  readonly read: (ranges: readonly TimeRange[]) => Promise<Row[]>
}

interface CacheEntry {
  readonly key: string
  /** By ClickHouse's clock: rows inserted up to then, less the margin, are in the aggregates. */
  checkedAt: Micros
  readonly buckets: Map<number, readonly BucketRow[]>
}

/** The rows of an entry; one more for each bucket and for the entry, which may have no rows. */
function rowCount({ buckets }: CacheEntry): number {
  let count = 1 + buckets.size
  for (const rows of buckets.values()) count += rows.length
  return count
}

interface ChangedBuckets {
  readonly buckets: readonly string[]
  readonly now: string
  /** When rows of the project were last deleted without a trace. */
  readonly deleted: string
}

/** The buckets, of any time, into which rows were inserted since; none if `since` is undefined. */
export function selectChangedBuckets(
  project_id: string,
  buckets: TimeBuckets,
  since: Micros | undefined,
): Sql {
  const isNew = since === undefined ? sql`0` : sql`inserted_at >= ${moment(since)}`
  const deleted = sql`SELECT toUnixTimestamp64Micro(max(deleted_at)) ${fromAllVersions(project_id, 'call_deletions')}`
  return sql`SELECT groupUniqArray(${timeBucket(sql`started_at`, buckets)}) AS buckets, toUnixTimestamp64Micro(now64(6)) AS now,
  (${deleted}) AS deleted
${fromAllVersions(project_id, 'calls')} AND ${isNew}`
}

interface Bucket extends TimeRange {
  readonly bucket: number
}

/** Buckets completely inside the requested time. The end of the last bucket is unknown, so it is never cached. */
function completeBuckets({
  buckets,
  bucketStarts,
}: Pick<AggregateQuery<BucketRow>, 'buckets' | 'bucketStarts'>): Bucket[] {
  if (buckets.calendar === 'none') return []
  return bucketStarts
    .slice(0, -1)
    .map((bucket, i) => ({ bucket, start: micros(bucket), end: micros(bucketStarts[i + 1] ?? bucket) }))
    .filter(({ start, end }) => start >= buckets.start && end <= buckets.end)
}

/** The parts of the time that are not covered by these ranges, which are in order. */
function uncoveredRanges({ start, end }: TimeRange, covered: readonly TimeRange[]): TimeRange[] {
  const ends = [start, ...covered.map((range) => range.end)]
  const starts = [...covered.map((range) => range.start), end]
  return ends
    .map((last, i) => ({ start: last, end: starts[i] ?? end }))
    .filter((range) => range.start < range.end)
}

function micros(seconds: number): Micros {
  return BigInt(seconds) * 1_000_000n
}
