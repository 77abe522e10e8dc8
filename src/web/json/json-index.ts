import {
  eachChild,
  type JsonKind,
  kindAt,
  skipSpace,
  skipValue,
  stringAt,
} from '../../client/browser/json-scan.ts'
import { decodeMedia } from '../media/data-url.ts'
import { type InlineMedia, type MediaValue, mediaAt } from '../media/media-value.ts'
import { textPattern } from './text-pattern.ts'

/** A value in a document: where it lies, and as much of it as a row shows. */
export interface JsonNode {
  readonly at: number
  readonly end: number
  readonly kind: JsonKind
  /** null for items of a list and for the document itself. */
  readonly key: string | null
  readonly index: number
  /** Scalars as they are spelled, strings as the text they stand for; of containers nothing. */
  readonly text: string
  readonly isCut: boolean
  /** What it stands for, if it is an image, a sound or a file. */
  readonly media: MediaValue | undefined
}

export interface JsonChildren {
  readonly count: number
  readonly nodes: readonly JsonNode[]
}

export interface JsonHits {
  /** Where each hit lies in the document; at most `MOST_HITS`. */
  readonly offsets: readonly number[]
  readonly isCut: boolean
}

/** More of a string than this is shown when it is asked for. */
const SHOWN_CHARACTERS = 1500
const MOST_HITS = 2000

interface Container {
  readonly keys: number[]
  readonly values: number[]
  readonly ends: number[]
}

/** Looks into the text of a document, one level at a time: what is not opened is not looked at. */
export class JsonIndex {
  readonly text: string
  readonly root: JsonNode
  readonly #containers = new Map<number, Container>()

  constructor(text: string) {
    this.text = text
    const at = skipSpace(text, 0)
    this.root = this.#node(at, skipValue(text, at), null, 0)
  }

  children(at: number, from: number, to: number): JsonChildren {
    const { keys, values, ends } = this.#container(at)
    const nodes: JsonNode[] = []
    for (let i = from; i < Math.min(to, values.length); i++) {
      const keyAt = keys[i] ?? -1
      nodes.push(
        this.#node(values[i] ?? 0, ends[i] ?? 0, keyAt === -1 ? null : stringAt(this.text, keyAt), i),
      )
    }
    return { count: values.length, nodes }
  }

  /** The text of a value as it was sent. */
  slice(at: number, end: number): string {
    return this.text.slice(at, end)
  }

  /** The text that a string stands for, whole or its beginning. */
  stringText(at: number, end: number, most: number): string {
    return stringAt(this.text, at, end).slice(0, most)
  }

  /** The bytes that a string stands for. Throws where it stands for none. */
  bytes(at: number, end: number, form: InlineMedia['form']): Blob {
    return new Blob([decodeMedia(stringAt(this.text, at, end), form)])
  }

  find(text: string): JsonHits {
    const offsets: number[] = []
    const pattern = textPattern(text)
    for (let hit = pattern.exec(this.text); hit !== null; hit = pattern.exec(this.text)) {
      offsets.push(hit.index)
      if (offsets.length === MOST_HITS) return { offsets, isCut: true }
      // What could be empty would be found for ever.
      if (hit[0] === '') pattern.lastIndex++
    }
    return { offsets, isCut: false }
  }

  /** The values around a place, from the document itself to the innermost, each with its place among its siblings. */
  pathTo(offset: number): readonly JsonNode[] {
    const path: JsonNode[] = [this.root]
    for (let node = this.root; node.kind === 'object' || node.kind === 'array';) {
      const { keys, values, ends } = this.#container(node.at)
      // The last child that begins before it.
      let low = 0
      let high = values.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        const begin = (keys[middle] ?? -1) === -1 ? (values[middle] ?? 0) : (keys[middle] ?? 0)
        if (begin <= offset) low = middle
        else high = middle - 1
      }
      const end = ends[low]
      if (end === undefined || offset >= end) break
      const keyAt = keys[low] ?? -1
      node = this.#node(values[low] ?? 0, end, keyAt === -1 ? null : stringAt(this.text, keyAt), low)
      path.push(node)
      // It stands in the key.
      if (offset < node.at) break
    }
    return path
  }

  #container(at: number): Container {
    const known = this.#containers.get(at)
    if (known !== undefined) return known
    const container: Container = { keys: [], values: [], ends: [] }
    eachChild(this.text, at, (keyAt, valueAt, end) => {
      container.keys.push(keyAt)
      container.values.push(valueAt)
      container.ends.push(end)
    })
    this.#containers.set(at, container)
    return container
  }

  #node(at: number, end: number, key: string | null, index: number): JsonNode {
    const kind = kindAt(this.text, at)
    const media = mediaAt(this.text, at, end)
    if (kind === 'object' || kind === 'array') {
      return { at, end, kind, key, index, text: '', isCut: false, media }
    }
    if (kind === 'string') {
      const isCut = end - at > SHOWN_CHARACTERS
      const text = isCut ? cutString(this.text, at) : stringAt(this.text, at, end)
      return { at, end, kind, key, index, text, isCut, media }
    }
    return { at, end, kind, key, index, text: this.text.slice(at, end), isCut: false, media }
  }
}

/** The beginning of a long string, without half an escape or half a pair at its end. */
function cutString(text: string, at: number): string {
  const begin = text.slice(at + 1, at + 1 + SHOWN_CHARACTERS)
  for (let length = begin.length; length > begin.length - 12; length--) {
    try {
      return JSON.parse(`"${begin.slice(0, length)}"`) as string
    } catch {
      // One character less, until no escape is cut in two.
    }
  }
  return begin
}
