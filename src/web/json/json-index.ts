import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { decodeMedia } from '../media/data-url.ts'
import { type InlineMedia, mediaAt } from '../media/media-value.ts'
import type { JsonChildren, JsonHits, JsonNode, JsonSource } from './json-source.ts'
import { textPattern } from './text-pattern.ts'

/** Longer strings are truncated until the user expands them. */
const PREVIEW_CHARACTERS = 1500
const MAX_HITS = 2000

interface Container {
  readonly keys: number[]
  readonly values: number[]
  readonly ends: number[]
}

/** A document held in this thread, with a lazy index: objects and arrays are scanned only when they are expanded. */
export class JsonIndex implements JsonSource {
  readonly text: string
  readonly #root: JsonNode
  readonly #containers = new Map<number, Container>()

  constructor(text: string) {
    this.text = text
    const at = skipSpace(text, 0)
    this.#root = this.#node(at, skipValue(text, at), null, 0)
  }

  get size(): number {
    return this.text.length
  }

  root(): JsonNode {
    return this.#root
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

  slice(at: number, end: number): string {
    return this.text.slice(at, end)
  }

  stringText(at: number, end: number, maxCharacters: number): string {
    return stringAt(this.text, at, end).slice(0, maxCharacters)
  }

  bytes(at: number, end: number, encoding: InlineMedia['encoding']): Blob {
    return new Blob([decodeMedia(stringAt(this.text, at, end), encoding)])
  }

  find(text: string): JsonHits {
    const offsets: number[] = []
    const pattern = textPattern(text)
    for (let hit = pattern.exec(this.text); hit !== null; hit = pattern.exec(this.text)) {
      offsets.push(hit.index)
      if (offsets.length === MAX_HITS) return { offsets, isTruncated: true }
      // An empty match would loop forever.
      if (hit[0] === '') pattern.lastIndex++
    }
    return { offsets, isTruncated: false }
  }

  /** The values that contain an offset, from the root to the innermost. */
  pathTo(offset: number): readonly JsonNode[] {
    const path: JsonNode[] = [this.#root]
    for (let node = this.#root; node.kind === 'object' || node.kind === 'array';) {
      const { keys, values, ends } = this.#container(node.at)
      // Binary search for the last child that starts before the offset.
      let low = 0
      let high = values.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        const prefix = (keys[middle] ?? -1) === -1 ? (values[middle] ?? 0) : (keys[middle] ?? 0)
        if (prefix <= offset) low = middle
        else high = middle - 1
      }
      const end = ends[low]
      if (end === undefined || offset >= end) break
      const keyAt = keys[low] ?? -1
      node = this.#node(values[low] ?? 0, end, keyAt === -1 ? null : stringAt(this.text, keyAt), low)
      path.push(node)
      // The offset is within the key.
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
      return { at, end, kind, key, index, text: '', isTruncated: false, media }
    }
    if (kind === 'string') {
      const isTruncated = end - at > PREVIEW_CHARACTERS
      const text = isTruncated ? decodeStringPrefix(this.text, at) : stringAt(this.text, at, end)
      return { at, end, kind, key, index, text, isTruncated, media }
    }
    return { at, end, kind, key, index, text: this.text.slice(at, end), isTruncated: false, media }
  }
}

/** Decodes the start of a long string without splitting an escape sequence or surrogate pair. */
function decodeStringPrefix(text: string, at: number): string {
  const prefix = text.slice(at + 1, at + 1 + PREVIEW_CHARACTERS)
  for (let length = prefix.length; length > prefix.length - 12; length--) {
    try {
      return JSON.parse(`"${prefix.slice(0, length)}"`) as string
    } catch {
      // Drops one character until no escape sequence is split.
    }
  }
  return prefix
}
