import { writeJson } from '../core/json/write.ts'
import { isObject, type Json } from './json.ts'
import { quoteKey } from './write.ts'

/**
 * The attributes of a call. Dotted keys are nested, so that `attributes.server.address` names them in queries. A key
 * that would replace another value stays flat.
 */
export class AttributeTree {
  readonly #root = new Map<string, Node>()

  /** False if there is a value at the place already, or on the way to it. */
  set(path: readonly string[], value: Json): boolean {
    let at = this.#root
    const last = path.length - 1
    for (let i = 0; i < last; i++) {
      const next = at.get(path[i]!)
      if (next === undefined) {
        const made: Branch = new Map()
        at.set(path[i]!, made)
        at = made
      } else if (next instanceof Map) at = next
      else return false
    }
    if (at.has(path[last]!)) return false
    at.set(path[last]!, value)
    return true
  }

  /** Adds the members of an object; members of members too, where there are both. */
  merge(path: readonly string[], value: Json): void {
    if (!isObject(value)) {
      if (path.length > 0) this.set(path, value)
      return
    }
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue
      const place = [...path, key]
      if (isObject(member) && place.length < MAX_PATH) this.merge(place, member)
      else this.set(place, member)
    }
  }

  /** An attribute of the sender, by its dotted key. False if a field of ours has its place. */
  add(key: string, value: Json): boolean {
    // One part more than fits tells a longer path; a key may consist of dots.
    const path = key.includes('.') ? key.split('.', MAX_PATH + 1) : [key]
    const isNested = path.length <= MAX_PATH && !path.includes('')
    return (isNested && this.set(path, value)) || this.set([key], value)
  }

  /** Replaces a value that was set before. */
  replace(key: string, value: Json): void {
    this.#root.set(key, value)
  }

  toString(): string {
    return writeBranch(this.#root)
  }
}

/** Extracted fields end at six levels, see core/json/json-fields.ts. */
const MAX_PATH = 6

type Branch = Map<string, Node>
type Node = Json | Branch

function writeBranch(branch: Branch): string {
  let members = ''
  for (const [key, node] of branch) {
    const text = node instanceof Map ? writeBranch(node) : writeJson(node)
    members += `${members === '' ? '' : ','}${quoteKey(key)}:${text}`
  }
  return `{${members}}`
}
