import { RawJson } from '../../contract/raw-json.ts'
import { COMPUTED } from './call-view.ts'
import { Scanner } from '../json/scan.ts'
import { entries } from '../json/navigate.ts'
import { objectOf } from '../json/object.ts'

/** A summary as it was sent: without what readers are shown beside it, and otherwise byte for byte. */
export function ownSummary(shown: RawJson): RawJson {
  const found = findWeave(shown.bytes)
  if (found === undefined) return shown
  const { start, valueStart, end } = found
  const bytes = shown.bytes
  const weave = RawJson.fromBytes(bytes.subarray(valueStart, end))
  const kept = entries(weave).filter(([key]) => !COMPUTED.has(key))
  const parts =
    kept.length > 0
      ? [bytes.subarray(0, valueStart), objectOf(kept).bytes, bytes.subarray(end)]
      : [bytes.subarray(0, start), bytes.subarray(found.next)]
  return RawJson.fromBytes(Buffer.concat(parts))
}

interface Member {
  /** From here to `next` it can be cut out: with the comma before it, or the one after it. */
  readonly start: number
  readonly next: number
  readonly valueStart: number
  readonly end: number
}

/** The last member `weave`: that is the one readers see. */
function findWeave(bytes: Buffer): Member | undefined {
  const scan = new Scanner(bytes)
  const open = scan.skipSpace(0)
  if (bytes[open] !== 0x7b) return undefined
  let found: Member | undefined
  let comma: number | undefined
  let at = scan.skipSpace(open + 1)
  while (bytes[at] === 0x22) {
    const valueStart = scan.skipKey(at)
    const end = scan.skipValue(valueStart, 0)
    const separator = scan.skipSpace(end)
    const isFollowed = bytes[separator] === 0x2c
    const following = isFollowed ? scan.skipSpace(separator + 1) : separator
    if (scan.stringAt(at, scan.skipString(at)) === 'weave') {
      const next = comma === undefined && isFollowed ? following : end
      found = { start: comma ?? at, next, valueStart, end }
    }
    comma = separator
    at = following
  }
  return found
}
