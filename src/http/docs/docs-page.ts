import { ERROR_STATUS } from '../../contract/api-error.ts'
import { type FieldLine, fieldLines } from './field-lines.ts'
import { escape, htmlPage } from '../html.ts'
import {
  type DescribedOperations,
  describeOperations,
  type JsonSchema,
  type OperationSchemas,
} from './operation-schemas.ts'
import { type Block, PASSAGES, type Passage } from './reference-text.ts'
import {
  BODY_NOTES,
  type BodyLimits,
  INTRODUCTION,
  PARTIAL_RESPONSES,
  UNKNOWN_KEYS,
  limitLines,
  otherSections,
  RESPONSE_FORMATS,
  SPECIFIED_TITLE,
  specifiedOperations,
  specifiedText,
} from './reference.ts'

/** Renders the API reference as one HTML page without scripts or external resources. */
export function docsPage(version: string, limits: BodyLimits, basePath = ''): string {
  const described = describeOperations()
  const specified = specifiedOperations(described)
  const others = otherSections(described)
  const links = [
    link('requests', 'Requests'),
    ...PASSAGES.map(({ id, title }) => link(id, title)),
    link('errors', 'Errors'),
    link('limits', 'Limits'),
  ]
  return htmlPage(
    `Heddle ${version}: API`,
    `<h1>Heddle API <small>${escape(version)}</small></h1>
<p>${inline(INTRODUCTION)} The OpenAPI document is at <a href="${basePath}/openapi.json">/openapi.json</a>.</p>
<nav aria-label="Contents"><p>${link('specification', SPECIFIED_TITLE)}: ${specified.map(({ name, operation }) => link(name, operation.path.slice(1))).join(' ')}</p><p>${links.join(' ')}</p><p>${others.map(({ tag }) => link(tag, tag)).join(' ')}</p></nav>
<h2 id="specification">${SPECIFIED_TITLE}</h2>
<p>${inline(specifiedText('specification (`docs/specification.md`)'))}</p>
${specified.map((operation) => article(operation, described)).join('\n')}
<h2 id="requests">Requests</h2>
<p>${inline(UNKNOWN_KEYS)}</p>
<p>${inline(PARTIAL_RESPONSES)}</p>
${PASSAGES.map(passage).join('\n')}
<h2 id="errors">Errors</h2>
<p>${inline('Every error response has the body `{"reason", "code", "request_id"}`; validation errors add `detail`, a list of the invalid fields. 429 and 503 have the header `Retry-After`, 405 has `Allow`.')}</p>
${table(
  ['code', 'status'],
  Object.entries(ERROR_STATUS).map(([code, status]) => [`\`${code}\``, String(status)]),
)}
<h2 id="limits">Limits</h2>
${table(['resource', 'limit', 'when exceeded'], limitLines(limits))}
${others.map(({ tag, operations }) => `<h2 id="${escape(tag)}">${escape(tag)}</h2>${operations.map((operation) => article(operation, described)).join('\n')}`).join('\n')}`,
  )
}

function link(id: string, text: string): string {
  return `<a href="#${escape(id)}">${escape(text)}</a>`
}

function passage({ id, title, blocks }: Passage): string {
  return `<h2 id="${escape(id)}">${escape(title)}</h2>\n${blocks.map(block).join('\n')}`
}

function block(content: Block): string {
  switch (content.kind) {
    case 'text':
      return `<p>${inline(content.text)}</p>`
    case 'list':
      return `<ul>${content.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`
    case 'code':
      return `<pre tabindex="0">${escape(content.text)}</pre>`
    case 'table':
      return table(content.head, content.rows)
  }
}

function article(
  { name, operation, request, response, errors }: OperationSchemas,
  described: DescribedOperations,
): string {
  const spellings = [operation.path, ...operation.aliases]
    .map((path) => `<code>${escape(path)}</code>`)
    .join(', ')
  const isBytes = operation.responseFormat === 'bytes' || operation.responseFormat === 'stream'
  return `<article id="${escape(name)}"><h3>${escape(operation.method)} ${spellings}</h3>
<p>${inline(operation.summary)}</p>
<p>Access: <b>${operation.access}</b>. ${BODY_NOTES[operation.body]}${RESPONSE_FORMATS[operation.responseFormat]}</p>
${fields('Request', request, described)}
${isBytes ? '' : fields('Response', response, described)}
<p class="errors">Errors: ${errors.map((code) => `<code>${escape(code)}</code>`).join(' ')}</p></article>`
}

function fields(title: string, schema: JsonSchema, described: DescribedOperations): string {
  const lines = fieldLines(schema, described)
  if (lines.length === 0) return `<p>${title}: no fields.</p>`
  return `<details><summary>${title}</summary>${table(['field', 'type', 'required', ''], lines.map(cells))}</details>`
}

function cells({ path, type, required, note }: FieldLine): string[] {
  return [`\`${path}\``, type, required ? 'yes' : '', note]
}

/** Cells are text with code in backticks. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (texts: readonly string[], tag: string): string =>
    `<tr>${texts.map((text) => `<${tag}>${inline(text)}</${tag}>`).join('')}</tr>`
  return `<div class="table" tabindex="0"><table>${row(head, 'th')}${rows.map((texts) => row(texts, 'td')).join('')}</table></div>`
}

/** Escapes a text; parts in backticks become code. */
function inline(text: string): string {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 0 ? escape(part) : `<code>${escape(part)}</code>`))
    .join('')
}
