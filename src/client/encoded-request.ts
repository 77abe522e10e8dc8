import type { Operation } from '../contract/operation.ts'
import { encodeProjectHeader, PROJECT_HEADER } from '../contract/project-header.ts'

/** A request of the contract as the parts of an HTTP request. */
export interface EncodedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData | Blob
}

type Fields = ReadonlyMap<string, unknown>
type WriteJson = (value: unknown) => string

/** Encodes a request. `writeJson` differs between Node and browsers: each has its own type for raw JSON. */
export function buildRequest(
  { method, path: template, body }: Pick<Operation, 'method' | 'path' | 'body'>,
  request: object,
  writeJson: WriteJson,
): EncodedRequest {
  const fields = new Map<string, unknown>(Object.entries(request))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name)
    fields.delete(name)
    return encodeURIComponent(fieldText(value, writeJson))
  })
  if (body === 'none') return { method, path: path + queryString(fields, writeJson), headers: {} }
  if (body === 'multipart') return { method, path, headers: {}, body: formBody(fields, writeJson) }
  if (body === 'otlp') return { method, path, ...otlpBody(fields) }
  const headers = { 'content-type': 'application/json' }
  return { method, path, headers, body: writeJson(Object.fromEntries(fields)) }
}

function queryString(fields: Fields, writeJson: WriteJson): string {
  const query = new URLSearchParams()
  // A list repeats its name.
  for (const [name, field] of fields)
    for (const value of [field].flat())
      if (value !== undefined && value !== null) query.append(name, fieldText(value, writeJson))
  return query.size === 0 ? '' : `?${query.toString()}`
}

function formBody(fields: Fields, writeJson: WriteJson): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue
    if (value instanceof Blob) form.append(name, value, name)
    else if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), name)
    else form.append(name, fieldText(value, writeJson))
  }
  return form
}

/** The body is sent as it is, the other fields as headers. */
function otlpBody(fields: Fields): Pick<EncodedRequest, 'headers' | 'body'> {
  const { content_type, project_id, body } = Object.fromEntries(fields)
  const project = typeof project_id === 'string' ? { [PROJECT_HEADER]: encodeProjectHeader(project_id) } : {}
  const headers = { 'content-type': String(content_type), ...project }
  return { headers, body: body instanceof Blob ? body : new Blob([new Uint8Array(body as Uint8Array)]) }
}

/** Path, query and form fields: strings as they are, other values as JSON. */
function fieldText(value: unknown, writeJson: WriteJson): string {
  return typeof value === 'string' ? value : writeJson(value)
}
