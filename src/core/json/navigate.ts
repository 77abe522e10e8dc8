import { RawJson } from '../../contract/raw-json.ts'
import { Scanner } from './scan.ts'

/**
 * Access to members and items of JSON that is kept as bytes. Parts are slices of the whole, so numbers keep their
 * spelling. A missing part is undefined, as is a member of a value that has no members.
 */

/** Members of an object in document order, repeated keys included; empty for any other value. */
export function entries(raw: RawJson): [string, RawJson][] {
  const found: [string, RawJson][] = []
  eachMember(raw, (key, start, end, bytes) => {
    found.push([key(), RawJson.fromBytes(bytes.subarray(start, end))])
  })
  return found
}

/** The member with a key. The last one of a repeated key wins, as in JSON.parse and Python. */
export function find(raw: RawJson, key: string): RawJson | undefined {
  let found: RawJson | undefined
  eachMember(raw, (name, start, end, bytes) => {
    if (name() === key) found = RawJson.fromBytes(bytes.subarray(start, end))
  })
  return found
}

/** Items of an array; empty for any other value. */
export function items(raw: RawJson): RawJson[] {
  const found: RawJson[] = []
  eachItem(raw, (start, end, bytes) => {
    found.push(RawJson.fromBytes(bytes.subarray(start, end)))
    return true
  })
  return found
}

/** The item at a zero-based index. */
export function item(raw: RawJson, index: number): RawJson | undefined {
  let found: RawJson | undefined
  let position = 0
  eachItem(raw, (start, end, bytes) => {
    if (position++ !== index) return true
    found = RawJson.fromBytes(bytes.subarray(start, end))
    return false
  })
  return found
}

/** The value at a path of keys; in an array, a number is an index. */
export function findAt(raw: RawJson, path: readonly string[]): RawJson | undefined {
  let at: RawJson | undefined = raw
  for (const key of path) {
    if (at === undefined) return undefined
    at = find(at, key) ?? (/^(?:0|[1-9]\d{0,8})$/.test(key) ? item(at, Number(key)) : undefined)
  }
  return at
}

/** The decoded value of a JSON string; undefined for any other value. */
export function stringValue(raw: RawJson): string | undefined {
  const bytes = raw.bytes
  const scan = new Scanner(bytes)
  const at = scan.skipSpace(0)
  return bytes[at] === 0x22 ? scan.stringAt(at, scan.skipString(at)) : undefined
}

/** The decoded string member with a key; undefined for any other value. */
export function stringMember(raw: RawJson, key: string): string | undefined {
  const member = find(raw, key)
  return member === undefined ? undefined : stringValue(member)
}

/** The value of a JSON number, without its spelling; undefined for any other value. */
export function numberValue(raw: RawJson): number | undefined {
  return /^\s*[-\d]/.test(raw.text) ? Number(raw.text) : undefined
}

/** `key` is a function, because decoding a key builds a string and most callers skip most keys. */
function eachMember(
  raw: RawJson,
  visit: (key: () => string, start: number, end: number, bytes: Buffer) => void,
): void {
  const bytes = raw.bytes
  const scan = new Scanner(bytes)
  const open = scan.skipSpace(0)
  if (bytes[open] !== 0x7b) return
  let at = scan.skipSpace(open + 1)
  while (bytes[at] === 0x22) {
    const keyStart = at
    const start = scan.skipKey(keyStart)
    const end = scan.skipValue(start, 0)
    visit(() => scan.stringAt(keyStart, scan.skipString(keyStart)), start, end, bytes)
    at = scan.skipSpace(end)
    if (bytes[at] === 0x2c) at = scan.skipSpace(at + 1)
  }
}

/** Stops when `visit` returns false. */
function eachItem(raw: RawJson, visit: (start: number, end: number, bytes: Buffer) => boolean): void {
  const bytes = raw.bytes
  const scan = new Scanner(bytes)
  const open = scan.skipSpace(0)
  if (bytes[open] !== 0x5b) return
  let at = scan.skipSpace(open + 1)
  while (at < bytes.length && bytes[at] !== 0x5d) {
    const end = scan.skipValue(at, 0)
    if (!visit(at, end, bytes)) return
    at = scan.skipSpace(end)
    if (bytes[at] === 0x2c) at = scan.skipSpace(at + 1)
  }
}
