import { Scanner } from './scan.ts'

/** Longer values count as large. */
const MAX_VALUE_BYTES = 64 * 1024

const COMMA = 0x2c
const QUOTE = 0x22

/**
 * The members at the beginning of an object whose end may be missing, as a complete object: all before the first large
 * or incomplete value. Undefined if there is none.
 */
export function leadingMembers(bytes: Buffer): string | undefined {
  const scan = new Scanner(bytes)
  let end = -1
  try {
    let at = scan.skipSpace(1)
    while (bytes[at] === QUOTE) {
      const start = scan.skipKey(at)
      const valueEnd = scan.skipValue(start, 1)
      if (valueEnd - start > MAX_VALUE_BYTES) break
      at = scan.skipSpace(valueEnd)
      // A number may go on after the end of the bytes.
      if (bytes[at] !== COMMA) break
      end = valueEnd
      at = scan.skipSpace(at + 1)
    }
  } catch {
    // The next value is incomplete.
  }
  return end === -1 ? undefined : `${bytes.toString('utf8', 0, end)}}`
}
