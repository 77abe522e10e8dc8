import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { ApiError } from '../contract/api-error.ts'
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

/**
 * Decodes a body by its Content-Encoding. The limit counts decoded bytes, so a decompression bomb stops at the limit.
 * Memory is acquired while decoding, so concurrent bombs wait for each other instead of exhausting memory.
 */
export function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  limitBytes: number,
  lease: MemoryLease,
): Buffer | Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || body.length === 0) return body
  return decompress(body, name, limitBytes, lease)
}

async function decompress(
  body: Buffer,
  name: string,
  limitBytes: number,
  lease: MemoryLease,
): Promise<Buffer> {
  const decoder = DECODERS.get(name)
  if (decoder === undefined) {
    const supported = [...DECODERS.keys()].join(', ')
    throw new ApiError(
      'invalid_request',
      `this Content-Encoding is not supported; use one of ${supported}, or none`,
    )
  }
  const decoding = decoder({ chunkSize: CHUNK_BYTES })
  const chunks: Buffer[] = []
  let length = 0
  try {
    decoding.end(body)
    for await (const chunk of decoding as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limitBytes) throw tooLarge(limitBytes)
      await lease.acquire(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid_request', `the body is not valid ${name}`, { cause: error })
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('too_large', `the body decodes to more than ${limitBytes} bytes; send smaller batches`)
}
