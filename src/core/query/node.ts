import { Scanner } from '../json/scan.ts'

/** A JSON tree that keeps number lexemes, and keys such as `__proto__` as ordinary keys. */
export type Node =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'number'; readonly lexeme: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Node[]; readonly text: string }
  /** The last of a repeated key wins, as in most JSON parsers. */
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Node>; readonly text: string }

/** The bytes must be valid JSON of limited depth: the request reader has scanned them. */
export function parseNode(bytes: Buffer): Node {
  return new NodeReader(bytes).next()
}

class NodeReader {
  readonly #buf: Buffer
  readonly #scan: Scanner
  #at: number

  constructor(buf: Buffer) {
    this.#buf = buf
    this.#scan = new Scanner(buf)
    this.#at = this.#scan.skipSpace(0)
  }

  next(): Node {
    const start = this.#at
    const first = this.#buf[start]
    if (first === 0x7b) return this.#object()
    if (first === 0x5b) return this.#array()
    this.#at = this.#scan.skipValue(start, 0)
    if (first === 0x22) return { kind: 'string', value: this.#scan.stringAt(start, this.#at) }
    if (first === 0x6e) return { kind: 'null' }
    if (first === 0x74 || first === 0x66) return { kind: 'bool', value: first === 0x74 }
    return { kind: 'number', lexeme: this.#buf.toString('latin1', start, this.#at) }
  }

  #object(): Node {
    const start = this.#at
    const members = new Map<string, Node>()
    this.#each(0x7d, () => {
      const keyEnd = this.#scan.skipString(this.#at)
      const key = this.#scan.stringAt(this.#at, keyEnd)
      this.#at = this.#scan.skipColon(keyEnd)
      members.set(key, this.next())
    })
    return { kind: 'object', members, text: this.#buf.toString('utf8', start, this.#at) }
  }

  #array(): Node {
    const start = this.#at
    const items: Node[] = []
    this.#each(0x5d, () => items.push(this.next()))
    return { kind: 'array', items, text: this.#buf.toString('utf8', start, this.#at) }
  }

  #each(closing: number, read: () => void): void {
    this.#at = this.#scan.skipSpace(this.#at + 1)
    while (this.#buf[this.#at] !== closing) {
      read()
      this.#at = this.#scan.skipSpace(this.#at)
      if (this.#buf[this.#at] === 0x2c) this.#at = this.#scan.skipSpace(this.#at + 1)
    }
    this.#at++
  }
}
