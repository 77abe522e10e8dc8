import { isUtf8 } from 'node:buffer'

/** Checks blocks with the vectorized `isUtf8`, so that only one block is read byte by byte. */
const BLOCK_BYTES = 64 * 1024

/** The position of the first byte that is not part of a valid UTF-8 character; -1 if all are. */
export function findInvalidUtf8(bytes: Buffer): number {
  if (isUtf8(bytes)) return -1
  let start = 0
  for (;;) {
    const end = characterStart(bytes, start + BLOCK_BYTES)
    if (!isUtf8(bytes.subarray(start, end))) return firstInvalid(bytes, start)
    start = end
  }
}

/** The start of the character that the byte at a position belongs to. It has up to three bytes after the first. */
function characterStart(bytes: Buffer, position: number): number {
  if (position >= bytes.length) return bytes.length
  let at = position
  while (at > position - 3 && isContinuation(bytes[at]!)) at--
  return at
}

function firstInvalid(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const length = characterLength(bytes[at]!)
    if (length === 0 || !isUtf8(bytes.subarray(at, at + length))) return at
    at += length
  }
}

/** By the first byte; 0 if no character begins with it. */
function characterLength(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
