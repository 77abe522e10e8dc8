import type { Operation } from '../contract/operation.ts'
import { writeJson } from '../core/json/write.ts'

export interface EncodedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** A request of the contract as the parts of an HTTP request. */
export function encodeRequest(operation: Operation, request: object): EncodedRequest {
  const fields = new Map<string, unknown>(Object.entries(request))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name)
    fields.delete(name)
    return encodeURIComponent(textOf(value))
  })
  const { method } = operation
  if (operation.body === 'none') return { method, path: path + queryOf(fields), headers: {} }
  if (operation.body === 'multipart') return { method, path, headers: {}, body: formOf(fields) }
  const body = writeJson(Object.fromEntries(fields))
  return { method, path, headers: { 'content-type': 'application/json' }, body }
}

function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  // A list is its name several times.
  for (const [name, field] of fields)
    for (const value of [field].flat())
      if (value !== undefined && value !== null) query.append(name, textOf(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

function formOf(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue
    if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), name)
    else form.append(name, textOf(value))
  }
  return form
}

/** Fields outside of a JSON body are text; anything else is written as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value)
}
