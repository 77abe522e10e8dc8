import type { InlineMedia } from '../media/media-value.ts'
import { type JsonChildren, type JsonHits, JsonIndex, type JsonNode } from './json-index.ts'

/** At once where the document is at hand, later where a worker holds it. */
export type Answer<T> = T | Promise<T>

/** A document to look into, wherever its text is. */
export interface JsonSource {
  /** Characters of its text. */
  readonly size: number
  root(): Answer<JsonNode>
  children(at: number, from: number, to: number): Answer<JsonChildren>
  find(text: string): Answer<JsonHits>
  pathTo(offset: number): Answer<readonly JsonNode[]>
  slice(at: number, end: number): Answer<string>
  stringText(at: number, end: number, most: number): Answer<string>
  bytes(at: number, end: number, form: InlineMedia['form']): Answer<Blob>
}

/** A document in this very thread, for those that are small enough. */
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

  stringText(at: number, end: number, most: number): string {
    return this.#index.stringText(at, end, most)
  }

  bytes(at: number, end: number, form: InlineMedia['form']): Blob {
    return this.#index.bytes(at, end, form)
  }
}
