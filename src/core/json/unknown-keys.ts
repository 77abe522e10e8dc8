import { type FieldError, invalidFields, unprocessable } from '../../contract/api-error.ts'
import { mostSimilar } from '../text/edit-distance.ts'
import type { ObjectShape } from './shape.ts'

/** Bounds of what is kept: a body of millions of unknown keys must not cost more than one of known keys. */
const MAX_KEYS = 20
const MAX_KEY_CHARACTERS = 64

/** Collects the keys of one request that its schema does not have (contract/unknown-keys.ts has the rule). */
export class UnknownKeys {
  readonly #reported = new Set<string>()
  readonly #refused: FieldError[] = []

  /** Dotted paths, each once; the items of a list share the path of the list. */
  get reported(): readonly string[] {
    return [...this.#reported]
  }

  /** Whether further keys are not kept. */
  get isFull(): boolean {
    return this.#reported.size >= MAX_KEYS || this.#refused.length >= MAX_KEYS
  }

  /** A null has no effect wherever a key is optional, and SDKs write their unset fields as null; deletions refuse it too. */
  add(shape: ObjectShape, key: string, isNull = false): void {
    if (this.isFull) return
    const name = truncated(key)
    const isRefused = shape.unknownKeys === 'refused' && !(isNull && shape.toleratesNull)
    if (isRefused) this.refuse([...shape.path, name], unknownKeyMessage(name, shape.keys.keys()))
    else this.report([...shape.path, name])
  }

  report(path: readonly string[]): void {
    if (!this.isFull) this.#reported.add(path.map(truncated).join('.'))
  }

  refuse(path: readonly string[], msg: string): void {
    if (!this.isFull) this.#refused.push({ loc: path.map(truncated), msg, type: 'extra_forbidden' })
  }

  /** Adds the keys of an object that was not read by its shape, such as a query string. */
  addKeysOf(document: object, shape: ObjectShape): void {
    for (const key of Object.keys(document)) {
      if (this.isFull) return
      if (!shape.keys.has(key)) this.add(shape, key)
    }
  }

  /** Throws `unprocessable` if a key is refused. */
  check(): void {
    if (this.#refused.length > 0) throw invalidFields(this.#refused)
  }
}

/** Throws `unprocessable` for a key that is not one of `known`, for objects without a shape. */
export function rejectUnknownKeys(
  keys: Iterable<string>,
  known: readonly string[],
  loc: readonly (string | number)[],
): void {
  for (const key of keys) {
    if (known.includes(key)) continue
    const name = truncated(key)
    throw unprocessable([...loc, name], unknownKeyMessage(name, known))
  }
}

function unknownKeyMessage(name: string, known: Iterable<string>): string {
  const names = [...known]
  const similar = mostSimilar(name, names)
  if (similar !== undefined) return `unknown key \`${name}\`; did you mean \`${similar}\`?`
  if (names.length === 0) return `unknown key \`${name}\`; this request has no fields`
  return `unknown key \`${name}\`; known are ${names.map((each) => `\`${each}\``).join(', ')}`
}

function truncated(key: string): string {
  return key.length > MAX_KEY_CHARACTERS ? `${key.slice(0, MAX_KEY_CHARACTERS)}…` : key
}
