import type { Readable } from 'node:stream'
import { ApiError } from '../contract/api-error.ts'
import type { MemoryLease } from './memory-budget.ts'

/** Reads request bodies within the size limit and the memory budget. */

/** Rejects a body by its Content-Length, or waits for memory for it, before any of it is read. */
export function reserveBody(
  contentLength = 0,
  limitBytes: number,
  lease: MemoryLease,
  caller: string,
): Promise<void> | undefined {
  if (contentLength > limitBytes) throw tooLarge(limitBytes)
  return lease.acquireFor(caller, contentLength)
}

/** Returns the body as sent. The bytes of a known Content-Length are already part of the lease. */
export async function readBody(
  stream: Readable,
  contentLength: number | undefined,
  limitBytes: number,
  lease: MemoryLease,
): Promise<Buffer> {
  if (contentLength === undefined) return readChunked(stream, limitBytes, lease)
  const body = await readToEnd(stream)
  if (contentLength !== body.length) throw lengthMismatch()
  return body
}

/**
 * Node reads no more than Content-Length. Event listeners, because an async iterator takes as long as the rest of a
 * small request.
 */
function readToEnd(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => resolve(joinChunks(chunks)))
      .once('error', (error) => reject(incompleteBody(error)))
      .once('close', () => reject(incompleteBody(new Error('the connection was closed'))))
  })
}

/** For `Transfer-Encoding: chunked`: the length is unknown, so the limit and the budget apply chunk by chunk. */
async function readChunked(stream: Readable, limitBytes: number, lease: MemoryLease): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    // On an error the stream is left unread, not destroyed: the client must still receive the response.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limitBytes) throw tooLarge(limitBytes)
      await lease.acquire(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof ApiError ? error : incompleteBody(error)
  }
  return joinChunks(chunks)
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

function incompleteBody(cause: unknown): ApiError {
  return new ApiError('invalid_request', 'the connection was closed before the whole body arrived', { cause })
}

function lengthMismatch(): ApiError {
  return new ApiError('invalid_request', 'the length of the body does not match Content-Length')
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('too_large', `the body is larger than ${limitBytes} bytes; send smaller batches`)
}
