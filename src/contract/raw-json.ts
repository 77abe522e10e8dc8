import { z } from 'zod'

/**
 * A JSON value kept as the very bytes the client sent, so that `1.0` stays `1.0`, big integers survive and keys
 * keep their order. It is only ever sliced out of a validated document, stored, and written back.
 */
export class RawJson {
  readonly #bytes: Buffer | undefined
  #text: string | undefined
  /** Whether it is known to hold nothing that the engine's JSON functions cannot read (core/json/query-form.ts). */
  readonly isPlain: boolean

  private constructor(bytes: Buffer | undefined, text: string | undefined, isPlain: boolean) {
    this.#bytes = bytes
    this.#text = text
    this.isPlain = isPlain
  }

  /** The bytes must be one valid JSON value: the caller has scanned them. */
  static fromBytes(bytes: Buffer, isPlain = false): RawJson {
    return new RawJson(bytes, undefined, isPlain)
  }

  /** The text must be one valid JSON value: it comes from the store or from `JSON.stringify`. */
  static fromText(text: string): RawJson {
    return new RawJson(undefined, text, false)
  }

  static of(value: unknown): RawJson {
    return new RawJson(undefined, JSON.stringify(value) ?? 'null', false)
  }

  get bytes(): Buffer {
    return this.#bytes ?? Buffer.from(this.#text ?? 'null')
  }

  get text(): string {
    this.#text ??= this.#bytes?.toString('utf8') ?? 'null'
    return this.#text
  }

  get isObject(): boolean {
    return this.#bytes === undefined ? (this.#text ?? '').startsWith('{') : this.#bytes[0] === 0x7b
  }

  get isNull(): boolean {
    // A payload may be large: no text is made of it for this.
    return this.#bytes === undefined
      ? this.#text === 'null'
      : this.#bytes.length === 4 && this.#bytes[0] === 0x6e
  }

  /** For `JSON.stringify` in logs and tests only: numbers may lose their spelling here. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Any JSON value, carried as its bytes. */
export const rawJson = z
  .custom<RawJson>((value) => value instanceof RawJson, 'must be a JSON value')
  .meta({ description: 'any JSON value; stored and returned byte for byte' })

/** A JSON object, carried as its bytes. */
export const rawObject = z
  .custom<RawJson>((value) => value instanceof RawJson && value.isObject, 'must be a JSON object')
  .meta({ type: 'object', description: 'a JSON object; stored and returned byte for byte' })

/** Tells the positions that the request reader leaves unparsed; see core/json/shape.ts. */
export function isRawSchema(schema: z.ZodType): boolean {
  // By the check and not by identity: `.meta()` and `.describe()` make copies.
  const check = (schema._zod.def as { fn?: unknown }).fn
  return check !== undefined && RAW_CHECKS.has(check)
}

const RAW_CHECKS = new Set<unknown>(
  [rawJson, rawObject].map((schema) => (schema._zod.def as { fn?: unknown }).fn),
)
