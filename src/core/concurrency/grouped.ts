/**
 * Items that arrive in groups. They may be read one by one as any stream; where there are many, whoever reads the
 * groups saves a turn of the event loop for each item at each step on the way.
 */
export class Grouped<Item> implements AsyncIterable<Item> {
  readonly groups: AsyncIterable<readonly Item[]>

  constructor(groups: AsyncIterable<readonly Item[]>) {
    this.groups = groups
  }

  static from<Item>(items: AsyncIterable<Item>): Grouped<Item> {
    return items instanceof Grouped ? (items as Grouped<Item>) : new Grouped(inGroups(items, 1))
  }

  map<Other>(of: (item: Item) => Other): Grouped<Other> {
    return new Grouped(mapped(this.groups, of))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const group of this.groups) yield* group
  }
}

async function* mapped<Item, Other>(
  groups: AsyncIterable<readonly Item[]>,
  of: (item: Item) => Other,
): AsyncGenerator<Other[]> {
  for await (const group of groups) yield group.map(of)
}

export async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Handed on together: big enough to be cheap, small enough to begin early. */
const CHUNK_CHARACTERS = 64 * 1024

/** Each item as text, and the bytes of many together. */
export async function* inChunks<Item>(
  items: Grouped<Item>,
  textOf: (item: Item) => string,
  head = '',
): AsyncGenerator<Buffer> {
  let pending = head
  for await (const group of items.groups) {
    for (const item of group) {
      pending += textOf(item)
      if (pending.length < CHUNK_CHARACTERS) continue
      yield Buffer.from(pending)
      pending = ''
    }
  }
  if (pending !== '') yield Buffer.from(pending)
}
