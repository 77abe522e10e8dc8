import { ApiError } from '../../contract/api-error.ts'
import { TokenBucket } from '../../core/concurrency/token-bucket.ts'
import { listQuotas, type QuotaKind, type QuotaRow } from '../../store/access/quotas.ts'
import type { Caller, Deps } from '../deps.ts'

/** Of one key or one project; 0 = no limit. */
interface Quota {
  readonly callsPerSecond: number
  readonly bytesPerSecond: number
}

export interface QuotaDefaults {
  readonly key: Quota
  readonly project: Quota
  /** What a bucket holds when it is full. */
  readonly burstSeconds: number
}

/** A request that stores calls, once it is known what it holds. */
export interface Load {
  /** The project of each record. */
  readonly project_ids: readonly string[]
  /** Of the body, decoded. */
  readonly bytes: number
  /** Those that `admitBytes` has counted before. */
  readonly countedBytes: number
}

/** Changes reach every node within twice this. */
const REFRESH_MS = 5_000

/** Keys and projects remembered at once; those not heard of for the longest are forgotten, and start anew. */
const MOST_SUBJECTS = 20_000

interface Buckets {
  readonly calls: TokenBucket | undefined
  readonly bytes: TokenBucket | undefined
}

/**
 * What each API key and each project may send, in calls and bytes a second. Every process counts by itself and enforces
 * the whole quota: it protects this process from one of its clients, and needs no word with the others.
 */
export class Quotas {
  readonly #deps: Pick<Deps, 'db'>
  readonly #defaults: QuotaDefaults
  readonly #nowMs: () => number
  readonly #buckets = new Map<string, Buckets>()
  #overrides: ReadonlyMap<string, QuotaRow> | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(deps: Pick<Deps, 'db'>, defaults: QuotaDefaults, nowMs = (): number => performance.now()) {
    this.#deps = deps
    this.#defaults = defaults
    this.#nowMs = nowMs
  }

  /** Before any of the body is read: the caller's bytes, as they were announced. Throws `rate_limited`. */
  async admitBytes(caller: Caller, bytes: number): Promise<void> {
    await this.#ready()
    const subject = keyOf(caller)
    const bucket = this.#bucketsOf('key', subject).bytes
    if (bucket === undefined) return
    const nowMs = this.#nowMs()
    refuseIf(bucket.waitMs(bytes, nowMs), `key ${subject}`, bucket, 'bytes')
    bucket.take(bytes, nowMs)
  }

  /** The calls of the caller, the calls and bytes of each project: all of them or none. Throws `rate_limited`. */
  admit(caller: Caller, load: Load): void {
    const nowMs = this.#nowMs()
    const subject = keyOf(caller)
    const key = this.#bucketsOf('key', subject)
    const takings: (readonly [bucket: TokenBucket, amount: number])[] = []
    const ask = (bucket: TokenBucket | undefined, amount: number, whose: string, unit: string): void => {
      if (bucket === undefined) return
      refuseIf(bucket.waitMs(amount, nowMs), whose, bucket, unit)
      takings.push([bucket, amount])
    }
    const records = load.project_ids.length
    ask(key.calls, records, `key ${subject}`, 'calls')
    for (const [project_id, count] of countBy(load.project_ids)) {
      const project = this.#bucketsOf('project', project_id)
      ask(project.calls, count, `project ${project_id}`, 'calls')
      ask(project.bytes, (load.bytes * count) / records, `project ${project_id}`, 'bytes')
    }
    for (const [bucket, amount] of takings) bucket.take(amount, nowMs)
    // What compression hid before is paid for afterwards.
    key.bytes?.take(Math.max(0, load.bytes - load.countedBytes), nowMs)
  }

  /** After a change made in this process. */
  forget(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY
    this.#overrides = undefined
  }

  /** Waits for the first reading only. Without it the settings hold: a quota is no reason to refuse what could be stored. */
  async #ready(): Promise<void> {
    if (this.#nowMs() - this.#readAtMs < REFRESH_MS) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    if (this.#overrides === undefined) await this.#reading
  }

  async #read(): Promise<void> {
    const nowMs = this.#nowMs()
    try {
      const rows = await listQuotas(this.#deps.db)
      this.#overrides = new Map(rows.map((row) => [`${row.kind} ${row.subject}`, row]))
    } catch {
      this.#overrides ??= new Map()
    }
    this.#readAtMs = nowMs
  }

  #bucketsOf(kind: QuotaKind, subject: string): Buckets {
    const name = `${kind} ${subject}`
    const override = this.#overrides?.get(name)
    const { callsPerSecond, bytesPerSecond } = this.#defaults[kind]
    const calls = override?.calls_per_second ?? callsPerSecond
    const bytes = override?.bytes_per_second ?? bytesPerSecond
    if (calls === 0 && bytes === 0) return NO_LIMIT
    const known = this.#buckets.get(name)
    if (
      known !== undefined &&
      (known.calls?.perSecond ?? 0) === calls &&
      (known.bytes?.perSecond ?? 0) === bytes
    )
      return known
    const made = { calls: this.#bucket(calls), bytes: this.#bucket(bytes) }
    this.#buckets.delete(name)
    this.#buckets.set(name, made)
    if (this.#buckets.size > MOST_SUBJECTS) {
      const oldest = this.#buckets.keys().next()
      if (oldest.done !== true) this.#buckets.delete(oldest.value)
    }
    return made
  }

  #bucket(perSecond: number): TokenBucket | undefined {
    if (perSecond === 0) return undefined
    return new TokenBucket(perSecond, this.#defaults.burstSeconds, this.#nowMs())
  }
}

const NO_LIMIT: Buckets = { calls: undefined, bytes: undefined }

/** A password is its user's only one. */
function keyOf({ key_id, user_id }: Caller): string {
  return key_id ?? `of user ${user_id}`
}

function countBy(project_ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const project_id of project_ids) counts.set(project_id, (counts.get(project_id) ?? 0) + 1)
  return counts
}

function refuseIf(waitMs: number, whose: string, { perSecond }: TokenBucket, unit: string): void {
  if (waitMs === 0) return
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  throw new ApiError(
    'rate_limited',
    `the quota of ${whose}, ${perSecond} ${unit} per second, is used up; nothing was stored, send this again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  )
}
