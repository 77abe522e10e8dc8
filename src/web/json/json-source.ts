import type { InlineMedia } from '../media/media-value.ts'
import { type JsonChildren, type JsonHits, JsonIndex, type JsonNode } from './json-index.ts'

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
  slice(at: number, end: number): MaybePromise<string>
  stringText(at: number, end: number, maxCharacters: number): MaybePromise<string>
  bytes(at: number, end: number, encoding: InlineMedia['encoding']): MaybePromise<Blob>
}

/** A document held in this thread, for small documents. */
export class InlineSource implements JsonSource {
  readonly #index: JsonIndex
  readonly size: number

  constructor(text: string) {
    this.#index = new JsonIndex(text)
    this.size = text.length
  }

  root(): JsonNode {
    return this.#index.root
  }

  children(at: number, from: number, to: number): JsonChildren {
    return this.#index.children(at, from, to)
  }

  find(text: string): JsonHits {
    return this.#index.find(text)
  }

  pathTo(offset: number): readonly JsonNode[] {
    return this.#index.pathTo(offset)
  }

  slice(at: number, end: number): string {
    return this.#index.slice(at, end)
  }

  stringText(at: number, end: number, maxCharacters: number): string {
    return this.#index.stringText(at, end, maxCharacters)
  }

  bytes(at: number, end: number, encoding: InlineMedia['encoding']): Blob {
    return this.#index.bytes(at, end, encoding)
  }
}
