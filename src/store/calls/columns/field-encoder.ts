import {
  encodePathPart,
  type JsonField,
  MAX_DEPTH,
  MAX_FIELDS,
  MAX_KEY_UNITS,
  MAX_MEMBERS,
  MAX_TEXT_BYTES,
  plainNumber,
  SUBTREE_NOT_EXTRACTED,
  VALUE_NOT_EXTRACTED,
} from '../../../core/json/json-fields.ts'
import { ValidatedScanner } from '../../../core/json/validated-scanner.ts'
import { RowWriter } from '../../database/row-binary.ts'

/**
 * Encodes the extracted fields of documents (core/json/json-fields.ts) as the column `json_fields`. Extraction takes a
 * large part of the time of ingest, and the documents of an application have the same few paths again and again. So a tree
 * remembers the paths with their encoded form: members are found in it by comparing bytes, mostly at the first try because
 * they come in the same order, and values are copied without becoming strings.
 */

/** A document of a call. */
export interface FieldsSource {
  readonly document: Buffer
  /** Whether ClickHouse's JSON functions read another form of the document (core/json/normalized-json.ts). */
  readonly isNormalized: boolean
}

/** The tree is dropped when it has more paths: keys that never repeat must not fill the memory. */
const MAX_PATHS = 8_192

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const EQUALS = 0x3d
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74

const VALUE_MARKER = new RowWriter(8).string(VALUE_NOT_EXTRACTED).take()
const SUBTREE_MARKER = new RowWriter(8).string(SUBTREE_NOT_EXTRACTED).take()
const TRUE = new RowWriter(8).string('=true').take()
const FALSE = new RowWriter(8).string('=false').take()

/** Integers up to this many bytes are written as ClickHouse formats them. */
const MAX_INTEGER_BYTES = 15

/** A path that documents had before. */
class PathNode {
  readonly path: string
  /** The path in RowBinary. */
  readonly encoded: Buffer
  /** The key with both quotes, as it was first spelled. */
  readonly spelling: Buffer
  readonly isAsked: boolean
  /** The document in which this path was last found; a repeated key is recognized by it. */
  seenIn = 0
  /** The member that followed last time. */
  next: PathNode | undefined
  /** The first member of the object at this path last time. */
  first: PathNode | undefined
  #children: Map<string, PathNode> | undefined

  constructor(path: string, spelling: Buffer, isAsked: boolean) {
    this.path = path
    this.encoded = new RowWriter(path.length * 3 + 10).string(path).take()
    this.spelling = spelling
    this.isAsked = isAsked
  }

  child(key: string): PathNode | undefined {
    return this.#children?.get(key)
  }

  /** Keys are remembered by their spelling too, which may contain escapes. */
  remember(key: string, node: PathNode): void {
    this.#children ??= new Map()
    this.#children.set(key, node)
  }
}

export class FieldEncoder {
  readonly #fields = new RowWriter(64 * 1024)
  readonly #column = new RowWriter(64 * 1024)
  readonly #scan = new ValidatedScanner()
  readonly #askedPaths: ReadonlySet<string>
  #roots = new Map<string, PathNode>()
  #pathCount = 0
  #documentNumber = 0
  /** The document that is being encoded. */
  #bytes: Buffer = Buffer.alloc(0)
  #count = 0
  #maxCount = 0
  #members = 0
  #asked: JsonField[] = []

  /** @param askedPaths paths whose values are also returned. */
  constructor(askedPaths: ReadonlySet<string>) {
    this.#askedPaths = askedPaths
  }

  /** The number of remembered paths. */
  get pathCount(): number {
    return this.#pathCount
  }

  /** Begins the column of the next row. */
  begin(): void {
    this.#fields.clear()
    this.#count = 0
  }

  /** The column in RowBinary; valid until the next one. */
  column(): Buffer {
    this.#column.clear()
    this.#column.varint(this.#count).raw(this.#fields.since(0))
    return this.#column.since(0)
  }

  /** Adds the fields of a document; `root` is the first part of their paths. Returns its root and the asked fields. */
  add(root: string, { document, isNormalized }: FieldsSource): readonly JsonField[] {
    if (document.length === 0) return NONE
    if (this.#pathCount > MAX_PATHS) this.#forgetPaths()
    const node = this.#rootNode(root)
    const countBefore = this.#count
    const lengthBefore = this.#fields.length
    this.#asked = []
    this.#maxCount = this.#count + MAX_FIELDS
    this.#members = 0
    this.#documentNumber++
    if (!isNormalized) {
      this.#bytes = document
      this.#scan.open(document)
      if (this.#value(this.#scan.skipSpace(0), node, 0) >= 0) return this.#asked
    }
    this.#fields.truncate(lengthBefore)
    this.#count = countBefore
    this.#asked = []
    this.#addMarker(node, SUBTREE_MARKER, SUBTREE_NOT_EXTRACTED)
    return this.#asked
  }

  /** Returns the index after the value that starts at `at`; negative if there are too many fields. */
  #value(at: number, node: PathNode, depth: number): number {
    if (this.#count >= this.#maxCount) return -1
    const first = this.#bytes[at]!
    if (first === QUOTE) return this.#string(at, node)
    if (first === OPEN_BRACE) return this.#object(at, node, depth)
    if (first === OPEN_BRACKET) {
      this.#addMarker(node, SUBTREE_MARKER, SUBTREE_NOT_EXTRACTED)
      return this.#scan.skipContainer(at)
    }
    return this.#number(at, node)
  }

  #string(at: number, node: PathNode): number {
    const end = this.#scan.skipString(at)
    if (end - at > MAX_TEXT_BYTES) this.#addMarker(node, VALUE_MARKER, VALUE_NOT_EXTRACTED)
    else if (this.#scan.hasEscapes) this.#addText(node, `=${this.#scan.stringAt(at, end)}`)
    else {
      this.#count++
      this.#fields.raw(node.encoded).prefixedBytes(EQUALS, this.#bytes, at + 1, end - 1)
      if (node.isAsked) this.#addAsked(node, `=${this.#bytes.toString('utf8', at + 1, end - 1)}`)
    }
    return end
  }

  /** Also true, false and null. */
  #number(at: number, node: PathNode): number {
    const bytes = this.#bytes
    const first = bytes[at]!
    if (first === LETTER_N) return at + 4
    if (first === LETTER_T) {
      this.#addMarker(node, TRUE, '=true')
      return at + 4
    }
    if (first === LETTER_F) {
      this.#addMarker(node, FALSE, '=false')
      return at + 5
    }
    let end = at + (first === MINUS ? 1 : 0)
    while (end < bytes.length && bytes[end]! >= ZERO && bytes[end]! <= NINE) end++
    const next = end < bytes.length ? bytes[end]! : COMMA
    const isInteger = next !== DOT && (next | 0x20) !== 0x65
    if (isInteger && end - at <= MAX_INTEGER_BYTES && (first !== MINUS || bytes[at + 1] !== ZERO)) {
      this.#count++
      this.#fields.raw(node.encoded).prefixedBytes(EQUALS, bytes, at, end)
      if (node.isAsked) this.#addAsked(node, `=${bytes.toString('latin1', at, end)}`)
      return end
    }
    end = this.#scan.skipNumber(end)
    const known = plainNumber(bytes.toString('latin1', at, end))
    if (known === undefined) this.#addMarker(node, VALUE_MARKER, VALUE_NOT_EXTRACTED)
    else this.#addText(node, `=${known}`)
    return end
  }

  #object(at: number, node: PathNode, depth: number): number {
    if (depth === MAX_DEPTH) {
      this.#addMarker(node, SUBTREE_MARKER, SUBTREE_NOT_EXTRACTED)
      return this.#scan.skipContainer(at)
    }
    this.#addMarker(node, VALUE_MARKER, VALUE_NOT_EXTRACTED)
    const bytes = this.#bytes
    const scan = this.#scan
    let previous: PathNode | undefined
    let i = scan.skipSpace(at + 1)
    while (bytes[i] !== CLOSE_BRACE) {
      const expected = previous === undefined ? node.first : previous.next
      let member: PathNode
      let keyEnd: number
      if (expected !== undefined && isAt(bytes, i, expected.spelling)) {
        member = expected
        keyEnd = i + expected.spelling.length
      } else {
        keyEnd = scan.skipString(i)
        const found = this.#member(node, i, keyEnd)
        if (found === undefined) return -1
        member = found
        if (previous === undefined) node.first = member
        else previous.next = member
      }
      previous = member
      if (++this.#members > MAX_MEMBERS) return -1
      i = scan.skipSpace(scan.skipSpace(keyEnd) + 1)
      if (member.seenIn === this.#documentNumber) {
        // The first of a repeated key wins, as in ClickHouse's JSON functions.
        i = scan.skipValue(i)
      } else {
        member.seenIn = this.#documentNumber
        i = this.#value(i, member, depth + 1)
        if (i < 0) return i
      }
      i = scan.skipSpace(i)
      if (bytes[i] === COMMA) i = scan.skipSpace(i + 1)
    }
    return i + 1
  }

  /** The path of a member; undefined if its key is too long to be extracted. */
  #member(parent: PathNode, at: number, end: number): PathNode | undefined {
    const spelling = this.#bytes.toString('latin1', at, end)
    const known = parent.child(spelling)
    if (known !== undefined) return known
    const key = this.#scan.stringAt(at, end)
    if (key.length > MAX_KEY_UNITS) return undefined
    // Keys do not begin with a quote here, so they never equal a spelling.
    const name = encodePathPart(key)
    let node = parent.child(name)
    if (node === undefined) {
      const path = `${parent.path}.${name}`
      node = new PathNode(path, Buffer.from(this.#bytes.subarray(at, end)), this.#askedPaths.has(path))
      parent.remember(name, node)
    }
    parent.remember(spelling, node)
    this.#pathCount++
    return node
  }

  #rootNode(root: string): PathNode {
    let node = this.#roots.get(root)
    if (node === undefined) {
      node = new PathNode(root, Buffer.alloc(0), true)
      this.#roots.set(root, node)
    }
    return node
  }

  #forgetPaths(): void {
    this.#roots = new Map()
    this.#pathCount = 0
  }

  #addText(node: PathNode, value: string): void {
    this.#count++
    this.#fields.raw(node.encoded).string(value)
    if (node.isAsked) this.#addAsked(node, value)
  }

  #addMarker(node: PathNode, encoded: Buffer, value: string): void {
    this.#count++
    this.#fields.raw(node.encoded).raw(encoded)
    if (node.isAsked) this.#addAsked(node, value)
  }

  #addAsked(node: PathNode, value: string): void {
    this.#asked.push({ path: node.path, value })
  }
}

const NONE: readonly JsonField[] = []

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  const { length } = text
  if (at + length > bytes.length) return false
  for (let i = 0; i < length; i++) if (bytes[at + i] !== text[i]) return false
  return true
}
