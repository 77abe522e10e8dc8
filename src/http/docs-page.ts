import { ERROR_STATUS } from '../contract/api-error.ts'
import { escape, htmlPage } from './html.ts'
import type { Description, JsonSchema } from './openapi.ts'
import { type BodyLimits, fieldLines, limitLines, sections } from './reference.ts'

/** The reference for people: one page, no scripts, nothing from elsewhere. Made once, at the start. */
export function docsPage(version: string, limits: BodyLimits): string {
  const all = sections()
  return htmlPage(
    `Heddle ${version}: API`,
    `<h1>Heddle API <small>${escape(version)}</small></h1>
<p>Every operation answers at <code>/</code> and under <code>/traces</code>. Credentials: <code>Authorization: Basic
base64(username:password)</code>, or <code>api:&lt;key&gt;</code>. Keys unknown to an operation are ignored; an optional
field may be null. Machines read <a href="/openapi.json">/openapi.json</a>.</p>
<nav>${all.map(({ noun }) => `<a href="#${escape(noun)}">${escape(noun)}</a>`).join(' ')} <a href="#errors">errors</a>
<a href="#limits">limits</a></nav>
${all.map(({ noun, operations }) => `<h2 id="${escape(noun)}">${escape(noun)}</h2>${operations.map(article).join('\n')}`).join('\n')}
<h2 id="errors">errors</h2>
<p>Every error has the body <code>{"reason", "code", "request_id"}</code>, and <code>detail</code> where single fields are wrong.</p>
${table(
  ['code', 'status'],
  Object.entries(ERROR_STATUS).map(([code, status]) => [code, String(status)]),
)}
<h2 id="limits">limits</h2>
${table(['what', 'limit', 'beyond it'], limitLines(limits))}`,
  )
}

function article({ name, operation, request, response, problems }: Description): string {
  const spellings = [operation.path, ...operation.aliases]
    .map((path) => `<code>${escape(path)}</code>`)
    .join(', ')
  return `<article id="${escape(name)}"><h3>${escape(operation.method)} ${spellings}</h3>
<p>${escape(operation.summary)}</p>
<p>Access: <b>${operation.access}</b>. ${operation.body === 'multipart' ? 'The request is a multipart form. ' : ''}${ANSWERS[operation.responseFormat]}</p>
<details><summary>Request</summary>${fields(request)}</details>
<details><summary>Response</summary>${['bytes', 'stream'].includes(operation.responseFormat) ? '' : fields(response)}</details>
<p class="errors">Errors: ${[...problems, 'not_found'].map((code) => `<code>${escape(code)}</code>`).join(' ')}</p></article>`
}

const ANSWERS = {
  json: 'Answers one JSON document.',
  jsonl: 'Answers one JSON document a line.',
  bytes: 'Answers bytes.',
  stream: 'Answers bytes as they are made.',
  events: 'Answers server-sent events, one JSON document in each.',
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
