import { RawJson } from '../contract/raw-json.ts'
import { asNumber, type Json, toJson } from './json.ts'
import { looksLikeJson, parseJsonText } from './json-text.ts'
import type { AttributeValue } from './model.ts'

/** An attribute that rules read, in the forms that they need. */
export class Attribute {
  readonly key: string
  /** The key without the prefix of a group. */
  readonly name: string
  readonly value: AttributeValue
  #json: Json | undefined
  #isParsed = false
  /** Rules that have not failed to read it. */
  readers = 0

  constructor(key: string, value: AttributeValue, prefixLength = 0) {
    this.key = key
    this.name = prefixLength === 0 ? key : key.slice(prefixLength)
    this.value = value
  }

  /** A non-empty string, as sent; numbers and booleans as text. */
  get text(): string | undefined {
    const { value } = this
    if (typeof value === 'string') return value === '' ? undefined : value
    return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
  }

  get number(): number | undefined {
    return asNumber(this.value)
  }

  /** A count of tokens. */
  get count(): number | undefined {
    const number = this.number
    return number === undefined || number < 0 || number > Number.MAX_SAFE_INTEGER
      ? undefined
      : Math.trunc(number)
  }

  /** The value as JSON; strings stay strings. */
  get plain(): Json {
    return toJson(this.value)
  }

  /** The value as JSON; a string that contains JSON is parsed. */
  get json(): Json {
    if (!this.#isParsed) {
      this.#isParsed = true
      this.#json = isJsonText(this.value) ? (parseJsonText(this.value) ?? this.value) : toJson(this.value)
    }
    return this.#json!
  }

  /** Like `json`, but the parsed text is kept as sent. */
  get exact(): Json {
    const { json, value } = this
    if (typeof value !== 'string' || json === value) return json
    // Python writes both, but they are no JSON.
    return value.includes('NaN') || value.includes('Infinity') ? json : RawJson.fromText(value.trim())
  }
}

function isJsonText(value: AttributeValue): value is string {
  return typeof value === 'string' && looksLikeJson(value)
}
