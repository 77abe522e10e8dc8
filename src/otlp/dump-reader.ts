import { RawJson } from '../contract/raw-json.ts'
import { entries, items, stringValue } from '../core/json/navigate.ts'
import { Scanner } from '../core/json/scan.ts'

/** Reads JSON with the spelling of its numbers and the order of its keys. */
export class JsonReader {
  readonly #raw: RawJson
  #members: readonly (readonly [string, JsonReader])[] | undefined

  private constructor(raw: RawJson) {
    this.#raw = raw
  }

  /** Undefined if the text is not valid JSON. */
  static parse(text: string): JsonReader | undefined {
    const bytes = Buffer.from(text)
    try {
      const scanner = new Scanner(bytes)
      const start = scanner.skipSpace(0)
      const end = scanner.skipSpace(scanner.skipValue(start, 0))
      return end === bytes.length ? new JsonReader(RawJson.fromBytes(bytes.subarray(start, end))) : undefined
    } catch {
      return undefined
    }
  }

  get source(): string {
    return this.#raw.text.trim()
  }

  get kind(): 'object' | 'array' | 'string' | 'boolean' | 'null' | 'number' {
    switch (this.source[0]) {
      case '{':
        return 'object'
      case '[':
        return 'array'
      case '"':
        return 'string'
      case 't':
      case 'f':
        return 'boolean'
      case 'n':
        return 'null'
      default:
        return 'number'
    }
  }

  get members(): readonly (readonly [string, JsonReader])[] {
    this.#members ??= entries(this.#raw).map(([key, value]) => [key, new JsonReader(value)] as const)
    return this.#members
  }

  get items(): readonly JsonReader[] {
    return items(this.#raw).map((item) => new JsonReader(item))
  }

  get string(): string {
    return stringValue(this.#raw) ?? ''
  }

  member(key: string): JsonReader | undefined {
    return this.members.find(([name]) => name === key)?.[1]
  }

  list(key: string): readonly JsonReader[] {
    return this.member(key)?.items ?? []
  }

  text(key: string): string {
    return this.member(key)?.string ?? ''
  }

  number(key: string): number {
    const value = Number(this.member(key)?.source ?? 0)
    return Number.isFinite(value) ? value : 0
  }

  nanos(key: string): bigint {
    const text = this.text(key)
    return isIntegerText(text) ? BigInt(text) : 0n
  }
}

export function isIntegerText(text: string): boolean {
  return /^-?\d{1,40}$/.test(text)
}
