import { crc32 } from 'node:zlib'

/**
 * Versions of facts and rows of calls, as UInt128 (docs/decisions/0002-one-row-per-call.md). From the highest bits on:
 *
 * - a fact: 14 bits 0, 61 bits of the stamp, 53 bits of the content;
 * - a row of the fast path: 16 bits rank 0, 61 bits of the stamp of the end (0 while the call runs), 51 bits of the content;
 * - a reconciled row: 16 bits of the rank, then the number of facts, and one bit if the call has ended.
 */

/** When a record was received, unique among all records: 51 bits of microseconds since 2020 and 10 bits of the node. */
export type Stamp = bigint

/** 2020-01-01 in microseconds since 1970. The stamps suffice until 2091. */
export const STAMP_EPOCH = 1_577_836_800_000_000
const NODE_BITS = 10n
export const NODE_RANGE = 1024

export function newStamp(microsSinceEpoch: number, node: number): Stamp {
  return (BigInt(microsSinceEpoch) << NODE_BITS) | BigInt(node)
}

export function stampTime(stamp: Stamp): number {
  return Number(stamp >> NODE_BITS)
}

/** Before every record. */
export const LOWEST_STAMP: Stamp = 0n

const CONTENT_BITS = 53n
const CONTENT_MASK = (1n << CONTENT_BITS) - 1n

export function factVersion(stamp: Stamp, content: number): bigint {
  return (stamp << CONTENT_BITS) | BigInt(content)
}

export function versionStamp(version: bigint): Stamp {
  return version >> CONTENT_BITS
}

/** The same fact with another stamp. */
export function restamped(version: bigint, stamp: Stamp): bigint {
  return (stamp << CONTENT_BITS) | (version & CONTENT_MASK)
}

const LENGTH_BITS = 20n
const LENGTH_RANGE = 2 ** 20
/** The highest bit of the content: the server generated the time of the record. */
const GENERATED_TIME = 2 ** 52

/**
 * Identifies the content of a record in 53 bits: CRC-32, length, and whether the server generated its time. A generated
 * time is not part of the content, because a resend generates another, and neither are other `generated` bytes. A
 * cryptographic hash costs five times as much.
 */
export function recordContent(
  body: Buffer,
  name: Buffer | undefined,
  generatedTimeBytes: number | undefined,
  generated?: { readonly from: number; readonly to: number },
): number {
  const timeBytes = generatedTimeBytes ?? 0
  let crc: number
  let { length } = body
  if (generated === undefined) crc = crc32(timeBytes === 0 ? body : body.subarray(timeBytes))
  else {
    crc = crc32(body.subarray(generated.to), crc32(body.subarray(timeBytes, generated.from)))
    length -= generated.to - generated.from
  }
  if (name !== undefined) {
    crc = crc32(name, crc)
    length += name.length
  }
  return (
    (generatedTimeBytes === undefined ? 0 : GENERATED_TIME) + crc * LENGTH_RANGE + (length % LENGTH_RANGE)
  )
}

export function hasGeneratedTime(version: bigint): boolean {
  return (version & BigInt(GENERATED_TIME)) !== 0n
}

export function hasSameContent(a: bigint, b: bigint): boolean {
  return ((a ^ b) & CONTENT_MASK) === 0n
}

export function versionContent(version: bigint): bigint {
  return version & CONTENT_MASK
}

/**
 * The CRC-32 of a start and that of its sender: part of the sort key of rows, so that only rows of equal starts replace each
 * other. The sender is not part of the content, but the row of a resend by another user must not replace the first one
 * before the conflict check finds both, and keeps the first.
 */
export function startHash({ version, sent_by }: { version: bigint; sent_by: string }): number {
  return (Number((version >> LENGTH_BITS) & 0xffff_ffffn) ^ senderHash(sent_by)) >>> 0
}

/** The records of a request have one sender. */
let lastSender = ''
let lastHash = 0

function senderHash(sent_by: string): number {
  if (sent_by !== lastSender) {
    lastHash = crc32(sent_by)
    lastSender = sent_by
  }
  return lastHash
}

const ROW_CONTENT_BITS = 51n
const RANK_BITS = 112n
const COUNT_BITS = 57n
/** Set in versions of rows with an end, ranked or not. */
const ENDED_BITS = 56n
/** A deletion always wins. */
export const DELETED_RANK = 0xffffn
export const DELETED_VERSION: bigint = DELETED_RANK << RANK_BITS
/** Of the tombstones of a call that was moved to another shard: above every row except a deletion. */
export const MOVED_VERSION: bigint = DELETED_VERSION - 1n

/**
 * The version of a row written on the fast path. Rows at one location have the same start, so the row with the latest end
 * includes the others.
 */
export function unrankedVersion(start: bigint, end: bigint | undefined): bigint {
  if (end === undefined) return rowContent(start, undefined)
  return (versionStamp(end) << ROW_CONTENT_BITS) | rowContent(start, end)
}

/**
 * The version of a row reconciled from the facts in call_parts. Their number is its rank: facts are only ever added, so the
 * most complete row wins. It follows the rank in full, because the rank has 16 bits.
 */
export function rankedVersion(factCount: bigint, isEnded: boolean): bigint {
  const rank = factCount < DELETED_RANK ? factCount : DELETED_RANK - 1n
  return (rank << RANK_BITS) | (factCount << COUNT_BITS) | (isEnded ? 1n << ENDED_BITS : 0n)
}

export function versionRank(version: bigint): bigint {
  return version >> RANK_BITS
}

/** The content of a row with this start and end, for comparison with `contentOfRow`. */
export function rowContent(start: bigint, end: bigint | undefined): bigint {
  const content = start & CONTENT_MASK
  const mixed = end === undefined ? content : content * 31n + (end & CONTENT_MASK)
  return BigInt.asUintN(Number(ROW_CONTENT_BITS), mixed)
}

/** The content of a row with rank 0. */
export function contentOfRow(version: bigint): bigint {
  return BigInt.asUintN(Number(ROW_CONTENT_BITS), version)
}
