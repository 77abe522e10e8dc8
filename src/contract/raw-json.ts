import { z } from 'zod'

/**
 * A JSON value kept as the bytes that the client sent, so that `1.0` stays `1.0`, big integers stay exact and keys
 * keep their order. It is sliced out of a validated document, stored, and written back. See
 * docs/decisions/0003-exact-json.md.
 */
export class RawJson {
  readonly #bytes: Buffer | undefined
  #text: string | undefined
  /** Known to be readable by ClickHouse's JSON functions as it is (core/json/normalized-json.ts). */
  readonly isNormalized: boolean

  private constructor(bytes: Buffer | undefined, text: string | undefined, isNormalized: boolean) {
    this.#bytes = bytes
    this.#text = text
    this.isNormalized = isNormalized
  }

  /** The bytes must be one valid JSON value, already scanned by the caller. */
  static fromBytes(bytes: Buffer, isNormalized = false): RawJson {
    return new RawJson(bytes, undefined, isNormalized)
  }

  /** The text must be one valid JSON value, from the store or from `JSON.stringify`. */
  static fromText(text: string): RawJson {
    return new RawJson(undefined, text, false)
  }

  static fromValue(value: unknown): RawJson {
    return new RawJson(undefined, JSON.stringify(value) ?? 'null', false)
  }

  get bytes(): Buffer {
    return this.#bytes ?? Buffer.from(this.#text ?? 'null')
  }

  get text(): string {
    this.#text ??= this.#bytes?.toString('utf8') ?? 'null'
    return this.#text
  }

  /** Bytes of a value from a request; characters of one from the store, of which there are at most as many. */
  get size(): number {
    return this.#bytes?.length ?? this.#text?.length ?? 0
  }

  get isObject(): boolean {
    return this.#bytes === undefined ? (this.#text ?? '').startsWith('{') : this.#bytes[0] === 0x7b
  }

  get isNull(): boolean {
    // Compares bytes, because decoding a large payload is expensive.
    return this.#bytes === undefined
      ? this.#text === 'null'
      : this.#bytes.length === 4 && this.#bytes[0] === 0x6e
  }

  /** For `JSON.stringify` in logs and tests only: parsing changes the spelling of numbers. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Any JSON value, kept as bytes. */
export const rawJson = z
  .custom<RawJson>((value) => value instanceof RawJson, 'must be a JSON value')
  .meta({ description: 'Any JSON value; stored and returned byte for byte.' })

/** A JSON number, kept as bytes, so that it is exact. Requests are checked by their own schema. */
export const rawNumber = rawJson.meta({ type: 'number', description: 'Exact decimal.' })

/** A JSON object, kept as bytes. */
export const rawObject = z
  .custom<RawJson>((value) => value instanceof RawJson && value.isObject, 'must be a JSON object')
  .meta({ type: 'object', description: 'JSON object; stored and returned byte for byte.' })

/** Whether the request reader leaves values of this schema unparsed; see core/json/shape.ts. */
export function isRawSchema(schema: z.ZodType): boolean {
  // Compares the check function and not the schema: `.meta()` and `.describe()` return copies.
  const check = (schema._zod.def as { fn?: unknown }).fn
  return check !== undefined && RAW_CHECKS.has(check)
}

const RAW_CHECKS = new Set<unknown>(
  [rawJson, rawObject].map((schema) => (schema._zod.def as { fn?: unknown }).fn),
)
