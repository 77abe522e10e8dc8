/** Valid unescaped in the strings of JSON, but older Python SDKs split lines at them. */
export const UNICODE_LINE_ENDS = ['\u0085', '\u2028', '\u2029'] as const

/**
 * Puts a JSON document on one line. Line breaks occur only between tokens, where any white space is equivalent;
 * inside strings they are always escaped.
 */
export function toSingleLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\n\r]/g, ' ') : json
}
