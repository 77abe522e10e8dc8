import type { InlineMedia } from './media-value.ts'

/** Reads the bytes of media that are embedded in a JSON document. */
export interface ByteSource {
  bytes(at: number, end: number, encoding: InlineMedia['encoding']): Blob | Promise<Blob>
}
