import { RawJson } from '../../contract/raw-json.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'

/**
 * Rewrites refs of the source project to refs of the target project. The digest of a value with refs depends on the
 * project's id and name at each server; where a digest changes, all refs to it must change too.
 */
export class RefMap {
  readonly #from: string
  readonly #to: string
  readonly #opening: Buffer
  readonly #objects = new Map<string, string>()
  readonly #tables = new Map<string, string>()
  readonly #rows = new Map<string, string>()

  constructor(project_id: string, to_project_id: string) {
    this.#from = `${REF_PREFIX}${project_id}/`
    this.#to = `${REF_PREFIX}${to_project_id}/`
    this.#opening = Buffer.from(`"${this.#from}`)
  }

  /** `key` is `name:digest`. */
  addObject(key: string, digest: string): void {
    if (!key.endsWith(`:${digest}`)) this.#objects.set(key, digest)
  }

  addTable(digest: string, newDigest: string): void {
    if (digest !== newDigest) this.#tables.set(digest, newDigest)
  }

  addRow(digest: string, newDigest: string): void {
    if (digest !== newDigest) this.#rows.set(digest, newDigest)
  }

  /** Rewrites a string that is a ref; returns all others unchanged. */
  rewriteText(text: string): string {
    if (!text.startsWith(this.#from)) return text
    const tail = text.slice(this.#from.length)
    const named = /^(?:object|op)\/([^/:]+:[^/:]+)/.exec(tail)
    if (named !== null) return this.#to + this.#named(tail, named[1]!) + this.#path(tail, named[0].length)
    const table = /^table\/([^/]+)/.exec(tail)
    if (table === null) return this.#to + tail
    const digest = this.#tables.get(table[1]!) ?? table[1]!
    return `${this.#to}table/${digest}${this.#path(tail, table[0].length)}`
  }

  /** Rewrites the refs in a payload and keeps all other bytes; returns the same instance if nothing changes. */
  rewriteJson(raw: RawJson): RawJson {
    const bytes = raw.bytes
    let at = this.#isIdentity ? -1 : bytes.indexOf(this.#opening)
    if (at === -1) return raw
    const parts: Buffer[] = []
    let from = 0
    for (; at !== -1; at = bytes.indexOf(this.#opening, from)) {
      const end = endOfRef(bytes, at + this.#opening.length)
      parts.push(
        bytes.subarray(from, at + 1),
        Buffer.from(this.rewriteText(bytes.toString('utf8', at + 1, end))),
      )
      from = end
    }
    return RawJson.fromBytes(Buffer.concat([...parts, bytes.subarray(from)]))
  }

  get #isIdentity(): boolean {
    return (
      this.#from === this.#to && this.#objects.size === 0 && this.#tables.size === 0 && this.#rows.size === 0
    )
  }

  #named(tail: string, key: string): string {
    const digest = this.#objects.get(key)
    const kind = tail.slice(0, tail.indexOf('/') + 1)
    return kind + (digest === undefined ? key : `${key.slice(0, key.indexOf(':'))}:${digest}`)
  }

  /** The path inside the value; steps `/id/<digest>` name rows of a table. */
  #path(tail: string, start: number): string {
    const path = tail.slice(start)
    if (this.#rows.size === 0) return path
    return path.replace(
      /\/id\/([^/]+)/g,
      (_step, digest: string) => `/id/${this.#rows.get(digest) ?? digest}`,
    )
  }
}

/** A ref ends at a quote, or at a backslash if the ref is in JSON nested as a string. */
function endOfRef(bytes: Buffer, start: number): number {
  let end = start
  while (end < bytes.length && bytes[end] !== 0x22 && bytes[end] !== 0x5c) end++
  return end
}
