import { RawJson } from '../../contract/raw-json.ts'

/** Fits most calls; other documents get buffers of their own. */
const BUFFER_BYTES = 256 * 1024

/**
 * Encodes the documents of a call as bytes, once: a text would be encoded again for each column that is made from it.
 * They share a buffer, so they are valid until the next call.
 */
export class DocumentBytes {
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #length = 0

  /** Begins the next call. */
  clear(): void {
    this.#length = 0
  }

  encode({ text }: RawJson): RawJson {
    const from = this.#length
    // A UTF-16 code unit takes up to three bytes.
    if (from + 3 * text.length > BUFFER_BYTES) return RawJson.fromBytes(Buffer.from(text))
    this.#length += this.#buffer.write(text, from)
    return RawJson.fromBytes(this.#buffer.subarray(from, this.#length))
  }
}
