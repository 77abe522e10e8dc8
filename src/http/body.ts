import type { Readable } from 'node:stream'
import { Problem } from '../contract/problem.ts'
import type { Share } from './in-flight.ts'

/** Refuses a body by its announced length, before any of it is read. */
export function announce(contentLength: string | undefined, limitBytes: number, share: Share): void {
  const length = Number(contentLength ?? 0)
  if (length > limitBytes) throw tooLarge(limitBytes)
  if (length > 0) share.take(length)
}

/** The bytes of a body as they were sent. `announced` ones are already in the share. */
export async function readBody(
  stream: Readable,
  contentLength: string | undefined,
  limitBytes: number,
  share: Share,
): Promise<Buffer> {
  const announced = contentLength === undefined ? undefined : Number(contentLength)
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Left unread, not destroyed: the client must be able to hear why.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limitBytes) throw tooLarge(limitBytes)
      if (announced === undefined) share.take(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('invalid_request', 'the body ended early', { cause: error })
  }
  if (announced !== undefined && announced !== length) {
    throw new Problem('invalid_request', 'the body is not as long as Content-Length says')
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

function tooLarge(limitBytes: number): Problem {
  return new Problem('too_large', `the body is larger than ${limitBytes} bytes; send smaller batches`)
}
