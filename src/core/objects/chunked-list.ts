/**
 * A list with cheap insertions and removals anywhere. An update of a table may have 100,000 of them, and moving a million
 * digests for each would take minutes.
 */
export class ChunkedList<Item> {
  /** None is empty, unless the list is. */
  readonly #chunks: Item[][] = []
  #length: number

  constructor(items: readonly Item[]) {
    for (let i = 0; i < items.length; i += CHUNK_ITEMS) this.#chunks.push(items.slice(i, i + CHUNK_ITEMS))
    this.#length = items.length
  }

  get length(): number {
    return this.#length
  }

  /** `index` must be from 0 to the length. */
  insert(index: number, item: Item): void {
    if (this.#chunks.length === 0) this.#chunks.push([])
    // The end of the list is the end of its last chunk.
    const [at, offset] = this.#locate(index) ?? [this.#chunks.length - 1, this.#chunks.at(-1)!.length]
    const chunk = this.#chunks[at]!
    chunk.splice(offset, 0, item)
    this.#length++
    if (chunk.length > 2 * CHUNK_ITEMS) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_ITEMS))
  }

  /** Returns the removed item; undefined if the list has none there. */
  remove(index: number): Item | undefined {
    const found = this.#locate(index)
    if (found === undefined) return undefined
    const [at, offset] = found
    const chunk = this.#chunks[at]!
    const [removed] = chunk.splice(offset, 1)
    this.#length--
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    return removed
  }

  toArray(): Item[] {
    return this.#chunks.flat()
  }

  /** The chunk with an item, and the position in it. */
  #locate(index: number): readonly [number, number] | undefined {
    if (index < 0 || index >= this.#length) return undefined
    let rest = index
    let at = 0
    while (rest >= this.#chunks[at]!.length) rest -= this.#chunks[at++]!.length
    return [at, rest]
  }
}

const CHUNK_ITEMS = 1_024
