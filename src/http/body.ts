import type { Readable } from 'node:stream'
import { ApiError } from '../contract/api-error.ts'
import type { MemoryLease } from './memory-budget.ts'

/** Refuses a body by its announced length, or waits for room for it, before any of it is read. */
export function announce(
  contentLength: string | undefined,
  limitBytes: number,
  share: MemoryLease,
  caller: string,
): Promise<void> | undefined {
  const length = Number(contentLength ?? 0)
  if (length > limitBytes) throw tooLarge(limitBytes)
  return share.takeAs(caller, length)
}

/** The bytes of a body as they were sent. `announced` ones are already in the share. */
export async function readBody(
  stream: Readable,
  contentLength: string | undefined,
  limitBytes: number,
  share: MemoryLease,
): Promise<Buffer> {
  const announced = contentLength === undefined ? undefined : Number(contentLength)
  const chunks: Buffer[] = []
  try {
    if (announced === undefined) await readUnannounced(stream, chunks, limitBytes, share)
    else await readAnnounced(stream, chunks)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid_request', 'the body ended early', { cause: error })
  }
  const [first] = chunks
  const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
  if (announced !== undefined && announced !== body.length) {
    throw new ApiError('invalid_request', 'the body is not as long as Content-Length says')
  }
  return body
}

/** Node reads no more than was announced. An async iterator would take as long as all the rest of a small request. */
function readAnnounced(stream: Readable, chunks: Buffer[]): Promise<void> {
  return new Promise((settle, fail) => {
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', settle)
      .once('error', fail)
      .once('close', () => fail(new Error('the connection was closed')))
  })
}

async function readUnannounced(
  stream: Readable,
  chunks: Buffer[],
  limitBytes: number,
  share: MemoryLease,
): Promise<void> {
  let length = 0
  // Left unread, not destroyed: the client must be able to hear why.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limitBytes) throw tooLarge(limitBytes)
    await share.take(chunk.length)
    chunks.push(chunk)
  }
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('too_large', `the body is larger than ${limitBytes} bytes; send smaller batches`)
}
