import { ERROR_STATUS } from '../contract/api-error.ts'
import { escape, htmlPage } from './html.ts'
import type { OperationDescription, JsonSchema } from './openapi.ts'
import { type BodyLimits, fieldLines, limitLines, sections } from './reference.ts'

/** Renders the API reference as one HTML page without scripts or external resources. */
export function docsPage(version: string, limits: BodyLimits): string {
  const all = sections()
  return htmlPage(
    `Heddle ${version}: API`,
    `<h1>Heddle API <small>${escape(version)}</small></h1>
<p>Every operation is served at <code>/</code> and under <code>/traces</code>. Authenticate with <code>Authorization: Basic
base64(username:password)</code>, or <code>api:&lt;key&gt;</code> for an API key. Unknown fields are ignored; optional
fields may be null. The OpenAPI document is at <a href="/openapi.json">/openapi.json</a>.</p>
<nav>${all.map(({ tag }) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(' ')} <a href="#errors">errors</a>
<a href="#limits">limits</a></nav>
${all.map(({ tag, operations }) => `<h2 id="${escape(tag)}">${escape(tag)}</h2>${operations.map(article).join('\n')}`).join('\n')}
<h2 id="errors">errors</h2>
<p>Every error response has the body <code>{"reason", "code", "request_id"}</code>; validation errors add <code>detail</code>, a list of the invalid fields.</p>
${table(
  ['code', 'status'],
  Object.entries(ERROR_STATUS).map(([code, status]) => [code, String(status)]),
)}
<h2 id="limits">limits</h2>
${table(['resource', 'limit', 'when exceeded'], limitLines(limits))}`,
  )
}

function article({ name, operation, request, response, errors }: OperationDescription): string {
  const spellings = [operation.path, ...operation.aliases]
    .map((path) => `<code>${escape(path)}</code>`)
    .join(', ')
  return `<article id="${escape(name)}"><h3>${escape(operation.method)} ${spellings}</h3>
<p>${escape(operation.summary)}</p>
<p>Access: <b>${operation.access}</b>. ${operation.body === 'multipart' ? 'The request is a multipart form. ' : ''}${RESPONSE_FORMATS[operation.responseFormat]}</p>
<details><summary>Request</summary>${fields(request)}</details>
<details><summary>Response</summary>${['bytes', 'stream'].includes(operation.responseFormat) ? '' : fields(response)}</details>
<p class="errors">Errors: ${[...errors, 'not_found'].map((code) => `<code>${escape(code)}</code>`).join(' ')}</p></article>`
}

const RESPONSE_FORMATS = {
  json: 'Returns one JSON document.',
  jsonl: 'Returns JSON Lines: one JSON document per line.',
  bytes: 'Returns bytes.',
  stream: 'Returns a stream of bytes.',
  events: 'Returns server-sent events with one JSON document each.',
} as const

function fields(schema: JsonSchema): string {
  const lines = fieldLines(schema)
  if (lines.length === 0) return '<p>No fields.</p>'
  return table(
    ['field', 'type', 'required', ''],
    lines.map((line) => [line.path, line.type, line.required ? 'yes' : '', line.note]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}
