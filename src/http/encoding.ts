import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Problem } from '../contract/problem.ts'

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['deflate', promisify(zlib.inflate)],
  ['br', promisify(zlib.brotliDecompress)],
  // Node 24 has it, Node 20 does not.
  ...('zstdDecompress' in zlib
    ? [['zstd', promisify(zlib.zstdDecompress as typeof zlib.gunzip) as Decoder] as const]
    : []),
])

/** The body as the client meant it. The limit counts decoded bytes, so a small bomb stays small. */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '' || body.length === 0) return body
  const decode = DECODERS.get(name)
  if (decode === undefined) {
    const known = [...DECODERS.keys()].join(', ')
    throw new Problem(
      'invalid_request',
      `this Content-Encoding is not supported; use one of ${known}, or none`,
    )
  }
  try {
    return await decode(body, { maxOutputLength: limitBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Problem(
        'too_large',
        `the body decodes to more than ${limitBytes} bytes; send smaller batches`,
      )
    }
    throw new Problem('invalid_request', `the body is not valid ${name}`, { cause: error })
  }
}
