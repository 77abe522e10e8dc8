import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/problem.ts'

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(zlib.gunzip) as Decoder],
  ['deflate', promisify(zlib.inflate) as Decoder],
  ['br', promisify(zlib.brotliDecompress) as Decoder],
  // Node 24 has it, Node 20 answers "not supported".
  ...('zstdDecompress' in zlib
    ? [['zstd', promisify(zlib.zstdDecompress as typeof zlib.gunzip) as Decoder] as const]
    : []),
])

/** The body as the client meant it. The limit counts decoded bytes, so a small bomb stays small. */
export async function decodeBody(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return body
  const decode = DECODERS.get(encoding.toLowerCase())
  if (decode === undefined) {
    throw new Problem('invalid_request', `Content-Encoding ${encoding} is not supported; use gzip or none`)
  }
  try {
    return await decode(body, { maxOutputLength: limitBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Problem('too_large', `the body decodes to more than ${limitBytes} bytes; send smaller batches`)
    }
    throw new Problem('invalid_request', `the body is not valid ${encoding}`, { cause: error })
  }
}
