import type { Call } from '../../contract/calls/calls.ts'
import { MAX_EXPANDED_BYTES } from '../../contract/limits.ts'
import type { ObjectRef } from '../../contract/objects/ref.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { entries, stringValue } from '../../core/json/navigate.ts'
import { appendMember, buildObject } from '../../core/json/object.ts'
import type { Deps } from '../deps.ts'
import { parseOwnRef, type ReadBudget, resolveRefs } from '../objects/ref-resolution.ts'

const EXPANDABLE = ['inputs', 'output', 'attributes', 'summary'] as const

type Column = (typeof EXPANDABLE)[number]

/** More than a group of 500 calls has in 100 columns. A response may have any number, most of them without a value. */
const MAX_KNOWN_REFS = 100_000

/**
 * Replaces refs by the values they point at, for the fields in `expand_columns`: if `inputs.model` holds a ref, it
 * becomes the model, with the ref in `_ref`. Each nested ref needs its own column (`output`, then `output.b`), so
 * columns are expanded from short to long. A ref that cannot be resolved stays as it is, and so does a ref beyond the
 * limit of expanded bytes. One expander serves one response and reads each object once.
 */
export class RefExpander {
  readonly #deps: Pick<Deps, 'db'>
  readonly #project_id: string
  /** Paths of the columns by length, short ones first. */
  readonly #levels: readonly (readonly Path[])[]
  readonly #values = new BoundedMap<string, RawJson | undefined>(MAX_KNOWN_REFS)
  readonly #readBudget: ReadBudget = { remainingBytes: MAX_EXPANDED_BYTES }
  #expandedBytes = 0

  constructor(deps: Pick<Deps, 'db'>, project_id: string, columns: readonly string[]) {
    this.#deps = deps
    this.#project_id = project_id
    this.#levels = byLength([...new Set(columns)].map(parseColumn).filter((path) => path !== undefined))
  }

  async expand(calls: readonly Call[]): Promise<readonly Call[]> {
    const documents = calls.map((call) => new CallDocuments(call))
    for (const paths of this.#levels) {
      const found = documents.flatMap((document) => paths.flatMap((path) => document.find(path)))
      const refs = found.map((field) => ({ field, ref: stringValue(field.value) }))
      await this.#resolve(refs.flatMap(({ ref }) => ref ?? []))
      for (const { field, ref } of refs) {
        const value = ref === undefined ? undefined : this.#values.get(ref)
        if (value !== undefined && this.#fits(value)) field.replace(value)
      }
    }
    return documents.map((document) => document.call())
  }

  /** Adds the values of these refs to `#values`. */
  async #resolve(texts: readonly string[]): Promise<void> {
    const refs = new Map<string, ObjectRef>()
    for (const text of texts) {
      const ref = this.#values.has(text) ? undefined : parseOwnRef(text, this.#project_id)
      if (ref !== undefined) refs.set(text, ref)
    }
    const values = await resolveRefs(this.#deps, [...refs.values()], this.#readBudget)
    for (const [i, text] of [...refs.keys()].entries()) {
      const value = values[i]
      // Values other than objects cannot hold `_ref`.
      this.#values.set(
        text,
        value?.isObject === true ? appendMember(value, '_ref', RawJson.fromValue(text)) : value,
      )
    }
  }

  #fits(value: RawJson): boolean {
    const bytes = this.#expandedBytes + value.size
    if (bytes > MAX_EXPANDED_BYTES) return false
    this.#expandedBytes = bytes
    return true
  }
}

interface Path {
  readonly column: Column
  readonly keys: readonly string[]
}

function parseColumn(text: string): Path | undefined {
  const [name, ...keys] = text.split('.')
  const column = EXPANDABLE.find((known) => known === name)
  return column && { column, keys }
}

function byLength(paths: readonly Path[]): Path[][] {
  const levels: Path[][] = []
  for (const path of paths) (levels[path.keys.length] ??= []).push(path)
  return levels.filter((level) => level !== undefined)
}

/** The documents of one call, in which values are replaced. Each is taken apart and written once. */
class CallDocuments {
  readonly #call: Call
  readonly #roots = new Map<Column, JsonNode>()

  constructor(call: Call) {
    this.#call = call
  }

  /** The value at a path, if there is one. */
  find({ column, keys }: Path): JsonNode[] {
    const document = this.#call[column]
    if (document === null) return []
    const root = this.#roots.get(column) ?? new JsonNode(document)
    this.#roots.set(column, root)
    let node: JsonNode | undefined = root
    for (const key of keys) node = node?.member(key)
    return node === undefined ? [] : [node]
  }

  call(): Call {
    const changed = [...this.#roots].filter(([, root]) => root.isChanged)
    return { ...this.#call, ...Object.fromEntries(changed.map(([name, root]) => [name, root.toJson()])) }
  }
}

/** A value that is taken apart where needed. */
class JsonNode {
  #value: RawJson
  #members: [string, JsonNode][] | undefined
  #isReplaced = false

  constructor(value: RawJson) {
    this.#value = value
  }

  get value(): RawJson {
    return this.#value
  }

  get isChanged(): boolean {
    return this.#isReplaced || this.#members?.some(([, member]) => member.isChanged) === true
  }

  /** The last one of a repeated key, as everywhere. */
  member(key: string): JsonNode | undefined {
    this.#members ??= entries(this.#value).map(([name, value]) => [name, new JsonNode(value)])
    return this.#members.findLast(([name]) => name === key)?.[1]
  }

  replace(value: RawJson): void {
    this.#value = value
    this.#members = undefined
    this.#isReplaced = true
  }

  toJson(): RawJson {
    const members = this.#members
    if (members === undefined || !members.some(([, member]) => member.isChanged)) return this.#value
    return buildObject(members.map(([name, member]) => [name, member.toJson()]))
  }
}
