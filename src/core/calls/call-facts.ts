import { crc32 } from 'node:zlib'
import type { Micros } from '../time/time.ts'

/**
 * The facts of a call: its start, end, name and deletion, each stated by a record. A `complete` record states start
 * and end together. Of two facts of one kind the one with the higher version wins, so joining facts is commutative,
 * associative and idempotent: records may arrive in any order and repeatedly, and every node that has seen the same
 * records has the same call. See docs/decisions/0002-one-row-per-call.md.
 *
 * Which fact wins:
 * - end: the later `ended_at`, then the greater checksum;
 * - start: one from a complete record, by that record's end; otherwise the greater checksum. A start without a
 *   client time, for which the server generated one, loses to every other; among those the earliest wins;
 * - name: the latest update; the name given at the start loses to every update;
 * - deletion: always wins.
 */
export interface Fact {
  readonly version: bigint
  /** The fact as encoded by the store; opaque here. */
  readonly body: Buffer
}

export interface StartFact extends Fact {
  readonly started_at: Micros
}

export interface EndFact extends Fact {
  readonly ended_at: Micros
}

export interface CallFacts {
  readonly project_id: string
  readonly id: string
  readonly start?: StartFact | undefined
  readonly end?: EndFact | undefined
  readonly name?: Fact | undefined
  readonly deletion?: Fact | undefined
  /** The encoded row for exactly these facts; opaque here, and dropped when other facts are joined. */
  readonly row?: Buffer | undefined
  /** Start and end came in one record, so only `row` needs to be written. */
  readonly isComplete?: boolean | undefined
  /** Size of `row`; reading `row` itself would encode it. */
  readonly rowBytes?: number | undefined
}

export function joinFacts(a: CallFacts, b: CallFacts): CallFacts {
  return {
    project_id: a.project_id,
    id: a.id,
    start: winner(a.start, b.start),
    end: winner(a.end, b.end),
    name: winner(a.name, b.name),
    deletion: winner(a.deletion, b.deletion),
  }
}

function winner<F extends Fact>(a: F | undefined, b: F | undefined): F | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.version > a.version ? b : a
}

const CHECKSUM_BITS = 56n
const CHECKSUM_MASK = (1n << CHECKSUM_BITS) - 1n
const CLIENT_TIME_BIT = 1n << 55n
/** Makes every time that ClickHouse can store positive; 0 means "has not ended". */
const TIME_BIAS = 2_300_000_000_000_000n

const LENGTH_BITS = 21n
const LENGTH_RANGE = 2 ** 21

/** 53 bits that distinguish two bodies: CRC-32 and the length. A cryptographic hash costs five times as much. */
function checksum(body: Buffer): bigint {
  return BigInt(crc32(body) * LENGTH_RANGE + (body.length % LENGTH_RANGE))
}

function timedVersion(at: Micros, low: bigint): bigint {
  return ((at + TIME_BIAS) << CHECKSUM_BITS) | low
}

export function endVersion(ended_at: Micros, body: Buffer): bigint {
  return timedVersion(ended_at, checksum(body))
}

export function startVersion(body: Buffer): bigint {
  return CLIENT_TIME_BIT | checksum(body)
}

/** 1 for a start from a complete record, 0 for one from a start record. */
export type Origin = 0 | 1

export function startOrigin(start: StartFact): Origin {
  return start.version >> CHECKSUM_BITS === 0n ? 0 : 1
}

/** Version of a start without a client time: the earliest wins, so that a resend changes nothing. */
export function generatedStartVersion(started_at: Micros): bigint {
  return CLIENT_TIME_BIT - 1n - ((started_at + TIME_BIAS) & (CLIENT_TIME_BIT - 1n))
}

/** Version of both facts of a complete record, so that they win or lose together. */
export function completeVersion(ended_at: Micros, start: Buffer, end: Buffer): bigint {
  const first = crc32(start)
  return timedVersion(ended_at, BigInt(crc32(end, first) * LENGTH_RANGE + (first % LENGTH_RANGE)))
}

/** `at` is the time of the update, 0 for the name given at the start. */
export function nameVersion(at: Micros, body: Buffer): bigint {
  return (at << CHECKSUM_BITS) | checksum(body)
}

/** Whether a name was given at the start; a resend of the start brings the same name. */
export function isNameOfStart(name: Fact): boolean {
  return name.version < 1n << CHECKSUM_BITS
}

/** Whether every fact of `small` is in `large` or superseded by a fact there. */
export function isIncluded(small: CallFacts, large: CallFacts): boolean {
  return (['start', 'end', 'name', 'deletion'] as const).every(
    (fact) => (small[fact]?.version ?? -1n) <= (large[fact]?.version ?? -1n),
  )
}

const RANK_BITS = 112n
/** With the 32 bits of the end's CRC-32 these fill the 56 checksum bits. */
const REST_BITS = 24n
/** A deletion always wins. */
export const DELETED_RANK = 0xffffn

/**
 * The version of a whole row. A row written on the fast path has rank 0. A row reconciled from the facts in
 * call_parts has the number of facts as its rank: facts are only ever added, so the most complete row wins.
 */
export function rowVersion(facts: CallFacts, rank: bigint): bigint {
  const start = facts.start?.version ?? 0n
  const end = facts.end?.version ?? 0n
  const name = facts.name?.version ?? 0n
  const mixed = start === end && name === 0n ? end & CHECKSUM_MASK : mixVersions(start, end, name)
  const capped = rank < DELETED_RANK ? rank : DELETED_RANK - 1n
  const ended = end >> CHECKSUM_BITS
  return (
    ((facts.deletion === undefined ? capped : DELETED_RANK) << RANK_BITS) | (ended << CHECKSUM_BITS) | mixed
  )
}

/**
 * The low bits of a row version, which order rows with the same end time or none. When two ends share a timestamp,
 * the winner's row needs the higher version, because ClickHouse drops the lower one at the next merge. So the end's
 * checksum comes first, and the remaining bits only make rows distinct. The row of a complete record does not need
 * this: its facts share one version.
 */
function mixVersions(start: bigint, end: bigint, name: bigint): bigint {
  const all = (start * 31n + end) * 31n + name
  if (end === 0n) return all & CHECKSUM_MASK
  const rest = (all ^ (all >> REST_BITS) ^ (all >> (2n * REST_BITS))) & ((1n << REST_BITS) - 1n)
  return (((end & CHECKSUM_MASK) >> LENGTH_BITS) << REST_BITS) | rest
}

export function versionRank(version: bigint): bigint {
  return version >> RANK_BITS
}
