import { TimeSlice } from './time-slice.ts'

/**
 * An async stream whose items arrive in batches. It can be read item by item; reading whole batches saves one turn
 * of the event loop per item at every stage of a pipeline.
 */
export class BatchedStream<Item> implements AsyncIterable<Item> {
  readonly batches: AsyncIterable<readonly Item[]>
  /** Somebody waits for each item: it is sent when it is there. Others are collected in chunks. */
  readonly isLive: boolean

  constructor(batches: AsyncIterable<readonly Item[]>, { isLive = false } = {}) {
    this.batches = batches
    this.isLive = isLive
  }

  static from<Item>(items: AsyncIterable<Item>): BatchedStream<Item> {
    return items instanceof BatchedStream
      ? (items as BatchedStream<Item>)
      : new BatchedStream(inBatches(items, 1))
  }

  map<Other>(transform: (item: Item) => Other): BatchedStream<Other> {
    return new BatchedStream(mapBatches(this.batches, transform))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const batch of this.batches) yield* batch
  }
}

async function* mapBatches<Item, Other>(
  batches: AsyncIterable<readonly Item[]>,
  transform: (item: Item) => Other,
): AsyncGenerator<Other[]> {
  for await (const batch of batches) yield batch.map(transform)
}

export async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Chunk size: large enough to be cheap, small enough that output starts early. */
const CHUNK_CHARACTERS = 64 * 1024

/** Encodes items as text, or as bytes that arrive later, and yields the bytes in chunks of many items. */
export async function* encodeChunks<Item>(
  items: BatchedStream<Item>,
  encode: (item: Item) => string | AsyncIterable<Buffer>,
  head = '',
): AsyncGenerator<Buffer> {
  // A fast reader takes chunk after chunk without a turn of the event loop.
  const slice = new TimeSlice()
  let pending = head
  for await (const batch of items.batches) {
    for (const item of batch) {
      const encoded = encode(item)
      if (typeof encoded === 'string') pending += encoded
      const isChunk = pending.length >= CHUNK_CHARACTERS || typeof encoded !== 'string'
      if (isChunk && pending !== '') {
        yield Buffer.from(pending)
        pending = ''
      }
      if (typeof encoded !== 'string') yield* encoded
      if (slice.isOver) await slice.next()
    }
    if (items.isLive && pending !== '') {
      yield Buffer.from(pending)
      pending = ''
    }
  }
  if (pending !== '') yield Buffer.from(pending)
}
