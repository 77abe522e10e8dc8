import type { RawJson } from '../../contract/raw-json.ts'
import { parseRef } from '../../contract/objects/ref.ts'
import { findRefs } from '../../core/json/refs.ts'

/** Collects the objects, tables and files that payloads reference. The API has no list of tables or files. */
export class References {
  /** As `name:digest`. */
  readonly objects = new Set<string>()
  readonly tables = new Set<string>()
  readonly files = new Set<string>()
  readonly #project_id: string

  constructor(project_id: string) {
    this.#project_id = project_id
  }

  add(...payloads: readonly (RawJson | null | undefined)[]): this {
    for (const payload of payloads) {
      if (payload === null || payload === undefined) continue
      const bytes = payload.bytes
      for (const ref of findRefs(bytes)) this.addRef(ref)
      if (bytes.includes(CUSTOM_TYPE)) this.#addFiles(JSON.parse(payload.text))
    }
    return this
  }

  addRef(text: string): void {
    const ref = parseRef(text)
    if (ref === undefined || ref.project_id !== this.#project_id) return
    if (ref.kind === 'object' || ref.kind === 'op') this.objects.add(`${ref.name}:${ref.digest}`)
    else if (ref.kind === 'table') this.tables.add(ref.id)
    else if (ref.kind === 'file') this.files.add(ref.id)
  }

  /** Ops, images and other media are `{"_type": "CustomWeaveType", "files": {<name>: <digest>}}`, at any depth. */
  #addFiles(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if ('_type' in value && value._type === 'CustomWeaveType' && 'files' in value) {
      for (const digest of Object.values(value.files ?? {})) {
        if (typeof digest === 'string') this.files.add(digest)
      }
    }
    for (const member of Object.values(value)) this.#addFiles(member)
  }
}

const CUSTOM_TYPE = '"CustomWeaveType"'
