import { crc32 } from 'node:zlib'
import type { Micros } from '../time/time.ts'

/**
 * A call is what its records say, whatever their order and number. Each record states facts: how the call
 * started, how it ended, what it is called, that it was deleted. A `complete` record states the first two at once.
 * Of two different facts of one kind the one with the higher version stands, so joining is commutative,
 * associative and idempotent: every node that has seen the same records has the same call.
 *
 * Versions say which fact stands:
 * - an end: the later `ended_at`, then the greater checksum;
 * - a start: one that came in a complete record, by that record's end; else the greater checksum; a start whose
 *   time the server had to make up loses to every other, and the earliest of them stands;
 * - a name: the later update; the name given at the start comes before all updates;
 * - a deletion stands for good.
 */
export interface Fact {
  readonly version: bigint
  /** The fact as the store writes it; opaque here. */
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
  /** The row that just these facts make, ready to be stored; opaque here, and gone as soon as others are joined. */
  readonly row?: Buffer | undefined
  /** Start and end came in one record: `row` is all there is to write. */
  readonly isComplete?: boolean | undefined
  /** What `row` weighs; asking it itself would make it. */
  readonly rowBytes?: number | undefined
}

export function joinFacts(a: CallFacts, b: CallFacts): CallFacts {
  return {
    project_id: a.project_id,
    id: a.id,
    start: later(a.start, b.start),
    end: later(a.end, b.end),
    name: later(a.name, b.name),
    deletion: later(a.deletion, b.deletion),
  }
}

function later<F extends Fact>(a: F | undefined, b: F | undefined): F | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.version > a.version ? b : a
}

const CHECKSUM_BITS = 56n
const CHECKSUM_MASK = (1n << CHECKSUM_BITS) - 1n
const GIVEN = 1n << 55n
/** Makes every time the engine can hold a positive number; 0 is left for "has not ended". */
const TIME_BIAS = 2_300_000_000_000_000n

const LENGTH_BITS = 21n
const LENGTH_RANGE = 2 ** 21

/** 53 bits that tell two bodies apart: CRC-32 and the length. A cryptographic hash costs five times as much. */
function checksum(body: Buffer): bigint {
  return BigInt(crc32(body) * LENGTH_RANGE + (body.length % LENGTH_RANGE))
}

function timed(at: Micros, low: bigint): bigint {
  return ((at + TIME_BIAS) << CHECKSUM_BITS) | low
}

export function endVersion(ended_at: Micros, body: Buffer): bigint {
  return timed(ended_at, checksum(body))
}

export function startVersion(body: Buffer): bigint {
  return GIVEN | checksum(body)
}

/** 1 for a start that came in a complete record, 0 for one that came in a start record. */
export type Origin = 0 | 1

export function originOf(start: StartFact): Origin {
  return start.version >> CHECKSUM_BITS === 0n ? 0 : 1
}

/** For a start without a time of its own: the earliest stands, so that a resend changes nothing. */
export function madeStartVersion(started_at: Micros): bigint {
  return GIVEN - 1n - ((started_at + TIME_BIAS) & (GIVEN - 1n))
}

/** Both facts of a complete record carry this, so that they stand or fall together. */
export function completeVersion(ended_at: Micros, start: Buffer, end: Buffer): bigint {
  const first = crc32(start)
  return timed(ended_at, BigInt(crc32(end, first) * LENGTH_RANGE + (first % LENGTH_RANGE)))
}

/** `at` is 0 for the name given at the start. */
export function nameVersion(at: Micros, body: Buffer): bigint {
  return (at << CHECKSUM_BITS) | checksum(body)
}

/** Whether a name is the one given at the start, so that a resend of the start brings the same one. */
export function isNameOfStart(name: Fact): boolean {
  return name.version < 1n << CHECKSUM_BITS
}

/** Whether every fact of `small` is in `large`, or beaten by one there. */
export function isIncluded(small: CallFacts, large: CallFacts): boolean {
  return (['start', 'end', 'name', 'deletion'] as const).every(
    (fact) => (small[fact]?.version ?? -1n) <= (large[fact]?.version ?? -1n),
  )
}

const RANK_BITS = 112n
/** CRC-32 of the end and these make 56. */
const REST_BITS = 24n
/** A deletion stands for good. */
export const DELETED_RANK = 0xffffn

/**
 * The version of a whole row. Rank 0 is a row written straight from records; a row made from the facts in
 * call_parts has their number as its rank: facts are only ever added, so the fullest row wins.
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
 * What tells rows apart that ended at the same time, or not at all. Of two ends of one moment the row of the one that
 * stands must be the higher: the engine drops the lower one as soon as it merges. So the end's checksum leads, and
 * the rest only makes rows different. A complete record's row needs none of it: its facts have one version.
 */
function mixVersions(start: bigint, end: bigint, name: bigint): bigint {
  const all = (start * 31n + end) * 31n + name
  if (end === 0n) return all & CHECKSUM_MASK
  const rest = (all ^ (all >> REST_BITS) ^ (all >> (2n * REST_BITS))) & ((1n << REST_BITS) - 1n)
  return (((end & CHECKSUM_MASK) >> LENGTH_BITS) << REST_BITS) | rest
}

export function rankOf(version: bigint): bigint {
  return version >> RANK_BITS
}
