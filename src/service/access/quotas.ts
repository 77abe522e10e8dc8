import { ApiError } from '../../contract/api-error.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { TokenBucket } from '../../core/concurrency/token-bucket.ts'
import { listQuotas, type QuotaKind, type QuotaRow } from '../../store/access/quotas.ts'
import type { Caller, Deps } from '../deps.ts'

/** Rate limits per API key and per project, in calls and bytes per second. */

/** Rates for one API key or one project; 0 = no limit. */
interface Quota {
  readonly callsPerSecond: number
  readonly bytesPerSecond: number
}

export interface QuotaDefaults {
  readonly key: Quota
  readonly project: Quota
  /** Capacity of a token bucket, in seconds of its rate. */
  readonly burstSeconds: number
}

/** The contents of a write request, known once its body is parsed. */
export interface WriteLoad {
  /** The project of each record. */
  readonly project_ids: readonly string[]
  /** Size of the decompressed body. */
  readonly bytes: number
  /** Bytes already charged by `admitBytes`. */
  readonly countedBytes: number
}

/** Quotas are reloaded after this time. Changes reach every node within twice this. */
const REFRESH_MS = 5_000

/** Maximum keys and projects with token buckets. The oldest are evicted and start with full buckets. */
const MAX_SUBJECTS = 20_000

interface Buckets {
  readonly calls: TokenBucket | undefined
  readonly bytes: TokenBucket | undefined
}

/**
 * Each process counts on its own and enforces the whole quota: it protects this process from one of its clients and
 * needs no coordination.
 */
export class Quotas {
  readonly #deps: Pick<Deps, 'db' | 'projectLoad'>
  readonly #defaults: QuotaDefaults
  readonly #nowMs: () => number
  readonly #buckets = new BoundedMap<string, Buckets>(MAX_SUBJECTS)
  #overrides: ReadonlyMap<string, QuotaRow> | undefined
  #loadedAtMs = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined

  constructor(
    deps: Pick<Deps, 'db' | 'projectLoad'>,
    defaults: QuotaDefaults,
    nowMs = (): number => performance.now(),
  ) {
    this.#deps = deps
    this.#defaults = defaults
    this.#nowMs = nowMs
  }

  /** Reads the quotas, so that no request waits for them. */
  async preload(): Promise<void> {
    await this.#refresh()
  }

  /** Charges the announced body size to the caller's key before the body is read. Throws `rate_limited`. */
  async admitBytes(caller: Caller, bytes: number): Promise<void> {
    await this.#refresh()
    const subject = quotaSubject(caller)
    const bucket = this.#bucketsFor('key', subject).bytes
    if (bucket === undefined) return
    const nowMs = this.#nowMs()
    rejectIfOverQuota(bucket.waitMs(bytes, nowMs), `key ${subject}`, bucket, 'bytes')
    bucket.take(bytes, nowMs)
  }

  /** Charges the calls to the caller's key, and calls and bytes to each project: all or none. Throws `rate_limited`. */
  admit(caller: Caller, load: WriteLoad): void {
    const nowMs = this.#nowMs()
    const subject = quotaSubject(caller)
    const key = this.#bucketsFor('key', subject)
    const charges: (readonly [bucket: TokenBucket, amount: number])[] = []
    const check = (bucket: TokenBucket | undefined, amount: number, owner: string, unit: string): void => {
      if (bucket === undefined) return
      rejectIfOverQuota(bucket.waitMs(amount, nowMs), owner, bucket, unit)
      charges.push([bucket, amount])
    }
    const records = load.project_ids.length
    const counts = countPerProject(load.project_ids)
    check(key.calls, records, `key ${subject}`, 'calls')
    for (const [project_id, count] of counts) {
      const project = this.#bucketsFor('project', project_id)
      check(project.calls, count, `project ${project_id}`, 'calls')
      check(project.bytes, (load.bytes * count) / records, `project ${project_id}`, 'bytes')
    }
    for (const [bucket, amount] of charges) bucket.take(amount, nowMs)
    for (const [project_id, count] of counts)
      this.#deps.projectLoad.add(project_id, count, (load.bytes * count) / records)
    // The decompressed rest was unknown before the body was read, so it is charged now.
    key.bytes?.take(Math.max(0, load.bytes - load.countedBytes), nowMs)
  }

  /**
   * Waits only for the first load. If it fails, the defaults apply: a quota is not a reason to reject what could be
   * stored.
   */
  async #refresh(): Promise<void> {
    if (this.#nowMs() - this.#loadedAtMs < REFRESH_MS) return
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    if (this.#overrides === undefined) await this.#loading
  }

  async #load(): Promise<void> {
    const nowMs = this.#nowMs()
    try {
      const rows = await listQuotas(this.#deps.db)
      this.#overrides = new Map(rows.map((row) => [`${row.kind} ${row.subject}`, row]))
    } catch {
      this.#overrides ??= new Map()
    }
    this.#loadedAtMs = nowMs
  }

  #bucketsFor(kind: QuotaKind, subject: string): Buckets {
    const name = `${kind} ${subject}`
    const override = this.#overrides?.get(name)
    const { callsPerSecond, bytesPerSecond } = this.#defaults[kind]
    const calls = override?.calls_per_second ?? callsPerSecond
    const bytes = override?.bytes_per_second ?? bytesPerSecond
    if (calls === 0 && bytes === 0) return UNLIMITED
    const existing = this.#buckets.get(name)
    if (
      existing !== undefined &&
      (existing.calls?.perSecond ?? 0) === calls &&
      (existing.bytes?.perSecond ?? 0) === bytes
    )
      return existing
    const created = { calls: this.#bucket(calls), bytes: this.#bucket(bytes) }
    this.#buckets.set(name, created)
    return created
  }

  #bucket(perSecond: number): TokenBucket | undefined {
    if (perSecond === 0) return undefined
    return new TokenBucket(perSecond, this.#defaults.burstSeconds, this.#nowMs())
  }
}

const UNLIMITED: Buckets = { calls: undefined, bytes: undefined }

/** Requests with a password count toward one quota per user. */
function quotaSubject({ key_id, user_id }: Caller): string {
  return key_id ?? `of user ${user_id}`
}

function countPerProject(project_ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const project_id of project_ids) counts.set(project_id, (counts.get(project_id) ?? 0) + 1)
  return counts
}

function rejectIfOverQuota(waitMs: number, owner: string, { perSecond }: TokenBucket, unit: string): void {
  if (waitMs === 0) return
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  throw new ApiError(
    'rate_limited',
    `the quota of ${owner}, ${perSecond} ${unit} per second, is used up; nothing was stored, send the request again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  )
}
