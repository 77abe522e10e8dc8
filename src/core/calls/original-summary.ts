import { RawJson } from '../../contract/raw-json.ts'
import { COMPUTED_SUMMARY_KEYS } from './call-view.ts'
import { Scanner } from '../json/scan.ts'
import { entries } from '../json/navigate.ts'
import { buildObject } from '../json/object.ts'

/** Restores the summary that the client sent, byte for byte, by removing the computed keys of `summary.weave`. */
export function originalSummary(shown: RawJson): RawJson {
  const found = findWeaveMember(shown.bytes)
  if (found === undefined) return shown
  const { start, valueStart, end } = found
  const bytes = shown.bytes
  const weave = RawJson.fromBytes(bytes.subarray(valueStart, end))
  const clientMembers = entries(weave).filter(([key]) => !COMPUTED_SUMMARY_KEYS.has(key))
  const parts =
    clientMembers.length > 0
      ? [bytes.subarray(0, valueStart), buildObject(clientMembers).bytes, bytes.subarray(end)]
      : [bytes.subarray(0, start), bytes.subarray(found.next)]
  return RawJson.fromBytes(Buffer.concat(parts))
}

interface Member {
  /** The range from here to `next` can be removed: it includes the comma before or after the member. */
  readonly start: number
  readonly next: number
  readonly valueStart: number
  readonly end: number
}

/** Finds the last member `weave`: the last of a repeated key wins. */
function findWeaveMember(bytes: Buffer): Member | undefined {
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
