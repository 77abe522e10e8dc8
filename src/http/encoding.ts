import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { ApiError } from '../contract/api-error.ts'
import { FairScheduler } from '../core/concurrency/fair-scheduler.ts'
import { LargeWork } from '../core/concurrency/large-work.ts'
import { ByteCollector } from './byte-collector.ts'
import { OVERLOAD_RETRY_SECONDS } from './limits.ts'
import type { MemoryLease } from './memory-budget.ts'

type Decoder = (options: { chunkSize: number }) => Transform

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  // Available in Node 24, not in Node 20.
  ...('createZstdDecompress' in zlib
    ? [['zstd', zlib.createZstdDecompress as typeof zlib.createGunzip] as const]
    : []),
])

const CHUNK_BYTES = 256 * 1024

/** Decoding runs in Node's thread pool, which has four threads; decompression bombs of one caller must not occupy all. */
const MAX_CONCURRENT = 3
const MAX_CONCURRENT_PER_CALLER = 2
const DECODER_WAIT_MS = 30_000

const decoders = new FairScheduler({
  capacity: MAX_CONCURRENT,
  maxPerKey: MAX_CONCURRENT_PER_CALLER,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerKey: Number.POSITIVE_INFINITY,
  waitMs: DECODER_WAIT_MS,
  rejection: () =>
    new ApiError('unavailable', 'the server is busy decompressing other requests; retry this one', {
      retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
    }),
})

export interface DecodeOptions {
  /** Content-Encoding. */
  readonly encoding: string | undefined
  /** Maximum decoded size. */
  readonly limitBytes: number
  /** Holds the memory of the body as sent. Undefined if the limit is so low that the body need not be counted. */
  readonly lease: MemoryLease | undefined
  readonly caller: string
  /** If the decoded size is larger, decoding stops with `LargeWork`. */
  readonly maxBufferedBytes?: number | undefined
}

/** Decodes a body by its Content-Encoding. The limit counts decoded bytes, so a decompression bomb stops at the limit. */
export function decodeBody(body: Buffer, options: DecodeOptions): Buffer | Promise<Buffer> {
  const name = options.encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || body.length === 0) return body
  const decoder = DECODERS.get(name)
  if (decoder === undefined) throw unsupported(name)
  return decompress(body, name, decoder, options)
}

async function decompress(
  body: Buffer,
  name: string,
  decoder: Decoder,
  options: DecodeOptions,
): Promise<Buffer> {
  const { lease, caller, limitBytes } = options
  let bytes: ByteCollector | undefined = new ByteCollector(limitBytes)
  const length = await withDecoder(caller, () =>
    decodeChunks(decoder, name, body, options, (chunk, total) => {
      if (bytes !== undefined && lease?.tryReserve(body.length + total) !== false) bytes.add(chunk)
      else bytes = undefined
    }),
  )
  if (bytes === undefined) {
    // There was not enough memory. A bomb was still rejected, because counting needs none.
    lease?.reduce(body.length)
    await lease?.reserve(body.length + length)
    const kept = (bytes = new ByteCollector(length))
    await withDecoder(caller, () => decodeChunks(decoder, name, body, options, (chunk) => kept.add(chunk)))
  }
  lease?.reduce(length)
  return bytes.take()
}

async function withDecoder<T>(caller: string, work: () => Promise<T>): Promise<T> {
  if (!decoders.tryAcquire(caller, 1)) await decoders.wait(caller, 1).granted
  try {
    return await work()
  } finally {
    decoders.release(caller, 1)
  }
}

/** Returns the decoded length; `keep` gets each chunk and the length including it. Stops at the limit. */
async function decodeChunks(
  decoder: Decoder,
  name: string,
  body: Buffer,
  { limitBytes, maxBufferedBytes = limitBytes }: DecodeOptions,
  keep: (chunk: Buffer, length: number) => void,
): Promise<number> {
  const decoding = decoder({ chunkSize: CHUNK_BYTES })
  let length = 0
  try {
    decoding.end(body)
    for await (const chunk of decoding as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limitBytes) throw tooLarge(limitBytes)
      if (length > maxBufferedBytes) throw new LargeWork('the decoded body')
      keep(chunk, length)
    }
  } catch (error) {
    if (error instanceof ApiError || error instanceof LargeWork) throw error
    throw new ApiError('invalid_request', `the body is not valid ${name}`, { cause: error })
  }
  return length
}

function unsupported(name: string): ApiError {
  const supported = [...DECODERS.keys()].join(', ')
  const hint = name === 'zstd' ? ', which Heddle decodes on Node 24 only' : ''
  return new ApiError(
    'invalid_request',
    `this Content-Encoding is not supported${hint}; use one of ${supported}, or none`,
  )
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError(
    'too_large',
    `the body decodes to more than ${limitBytes} bytes, the limit of this operation; send less at a time`,
  )
}
