/**
 * Hides what differs between any two runs of the same program: generated ids, times of the run and durations. Works on a
 * line or an excerpt of JSON, because previews are truncated. Only for comparison: pages show the text as it is.
 */

const WORD = String.raw`(?:[A-Za-z0-9]+[_-])*`
const STRING = String.raw`"(?:\\.|[^"\\])*"`
const NUMBER = String.raw`-?\d[\d.eE+-]*`

/** Generated ids anywhere in a text: UUIDs, memory addresses, and the ids of model providers such as `call_9f3kQ…`. */
const GENERATED_IDS =
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b0x[0-9a-f]{6,}\b|\b(?:chatcmpl|cmpl|call|toolu|msg|resp|req|run|thread|step|asst|fc|rs|fp|gen|batch|file|embd|evt)[_-](?=[a-z0-9]*\d)[a-z0-9]{8,}\b/gi

/** Members with a generated id. A short `id` such as `A-1042` is the user's own. */
const ID_MEMBER = new RegExp(
  String.raw`"(${WORD}(?:id|ID|Id|uuid|fingerprint)|[a-z]+(?:Id|Uuid))"(\s*:\s*)(${STRING})`,
  'g',
)

/** Members with the time of the run, as text or as Unix time. */
const TIME_MEMBER = new RegExp(
  String.raw`"(created|updated|modified|timestamp|time|date|now|${WORD}(?:at|timestamp)|[a-z]+(?:At|Timestamp))"(\s*:\s*)(${STRING}|${NUMBER})`,
  'g',
)

/** Members with a duration. */
const DURATION_MEMBER = new RegExp(
  String.raw`"(${WORD}(?:latency|duration|elapsed)(?:_?(?:ms|s|sec|seconds|millis|time))?|[a-z]*(?:[lL]atency|[dD]uration|[eE]lapsed)(?:Ms|Seconds)?)"(\s*:\s*)(${STRING}|${NUMBER})`,
  'g',
)

export function maskVolatile(text: string): string {
  return text
    .replaceAll(ID_MEMBER, (member, name: string, colon: string, value: string) =>
      isGenerated(value) ? `"${name}"${colon}"…"` : member,
    )
    .replaceAll(TIME_MEMBER, (member, name: string, colon: string, value: string) =>
      isTime(value) ? `"${name}"${colon}"…"` : member,
    )
    .replaceAll(DURATION_MEMBER, '"$1"$2"…"')
    .replaceAll(GENERATED_IDS, '…')
}

/** Whether a part of the id looks random. `A-1042` and `claude-sonnet-4-5` are names. */
function isGenerated(quoted: string): boolean {
  return quoted
    .slice(1, -1)
    .split(/[-_.:]/)
    .some((part) => part.length >= 8 && /^(?=.*\d)[a-z0-9]+$/i.test(part))
}

/** A timestamp, or a Unix time of this century in seconds, milliseconds, microseconds or nanoseconds. */
function isTime(value: string): boolean {
  if (value.startsWith('"')) return /^"\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)
  return /^[1-9]\d{9}(?:\d{3}){0,3}(?:\.\d+)?$/.test(value)
}

/**
 * Whether two texts differ in more than volatile values. Of truncated texts, the common part is compared: masking changes
 * their lengths, and the last value may be incomplete.
 */
export function hasStableDifference(a: string, b: string, truncatedAt: number): boolean {
  if (a === b) return false
  const [left, right] = [maskVolatile(a), maskVolatile(b)]
  if (left === right) return false
  if (a.length < truncatedAt || b.length < truncatedAt) return true
  const end = Math.max(0, Math.min(left.length, right.length) - MAX_INCOMPLETE_CHARACTERS)
  return left.slice(0, end) !== right.slice(0, end)
}

const MAX_INCOMPLETE_CHARACTERS = 80
