/**
 * A map with a bound on its total size, for in-memory caches. Beyond the bound the first entries in its order are
 * evicted: the oldest, or with `touch` the least recently used. An entry larger than the bound is not kept.
 */
export class BoundedMap<Key, Value> {
  readonly #maxSize: number
  readonly #entries = new Map<Key, Entry<Value>>()
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Total size of the entries, in the unit of `set`. */
  get size(): number {
    return this.#size
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  /** Does not change the eviction order. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Like `get`, but makes the entry the last to be evicted. */
  touch(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Adds or replaces an entry, which becomes the last to be evicted. `size` is in any unit; 1 counts entries. */
  set(key: Key, value: Value, size = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break
      this.delete(oldest)
    }
  }

  /** In the order of eviction. */
  *entries(): Generator<[Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }
}

interface Entry<Value> {
  readonly value: Value
  readonly size: number
}
