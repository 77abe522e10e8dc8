import type { JsonKind } from '../../client/browser/json-scan.ts'
import type { InlineMedia, MediaValue } from '../media/media-value.ts'

/** A value in a JSON document: its position, and the text that a row shows. */
export interface JsonNode {
  readonly at: number
  readonly end: number
  readonly kind: JsonKind
  /** `null` for array items and for the root. */
  readonly key: string | null
  readonly index: number
  /** Decoded text of strings, original spelling of other scalars, empty for objects and arrays. */
  readonly text: string
  readonly isTruncated: boolean
  /** Set if the value represents an image, audio or file. */
  readonly media: MediaValue | undefined
}

export interface JsonChildren {
  readonly count: number
  readonly nodes: readonly JsonNode[]
}

export interface JsonHits {
  /** Offset of each hit in the document; see `isTruncated`. */
  readonly offsets: readonly number[]
  readonly isTruncated: boolean
}

/** A value if the document is in this thread, a promise if a worker holds it. */
export type MaybePromise<T> = T | Promise<T>

/** Access to a JSON document, independent of where its text is held. */
export interface JsonSource {
  /** Length of the text in characters. */
  readonly size: number
  root(): MaybePromise<JsonNode>
  children(at: number, from: number, to: number): MaybePromise<JsonChildren>
  find(text: string): MaybePromise<JsonHits>
  pathTo(offset: number): MaybePromise<readonly JsonNode[]>
  /** The original text of a value. */
  slice(at: number, end: number): MaybePromise<string>
  /** The decoded text of a string, up to `maxCharacters`. */
  stringText(at: number, end: number, maxCharacters: number): MaybePromise<string>
  /** The bytes that a string encodes. Throws if it is not valid. */
  bytes(at: number, end: number, encoding: InlineMedia['encoding']): MaybePromise<Blob>
}
