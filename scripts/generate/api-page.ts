import { readSettings } from '../../src/app/settings.ts'
import { ERROR_STATUS } from '../../src/contract/api-error.ts'
import type { Description, JsonSchema } from '../../src/http/openapi.ts'
import { PAGES } from '../../src/http/pages.ts'
import { fieldLines, limitLines, sections } from '../../src/http/reference.ts'
import { markdownTable } from './markdown.ts'

export function apiPage(version: string): string {
  return `# API reference

Heddle ${version}. Made by \`npm run generate\` from the table of operations in \`src/contract\`; a running server shows the
same at \`/docs\` and, for machines, at \`/openapi.json\`.

Every operation answers at \`/\` and under \`/traces\`. Credentials travel as \`Authorization: Basic base64(username:password)\`,
or \`api:<key>\`. Keys unknown to an operation are ignored; an optional field may be null. Payloads (\`any\` below) come
back byte for byte; the words NaN, Infinity and -Infinity, which Python writes inside them, are kept as null.

## Errors

Every error has the body \`{"reason", "code", "request_id"}\`: a sentence, one of the codes below, and the id that is also in
the header \`X-Request-Id\` (a client's own is echoed if it is plain text up to 128 characters). Where single fields are wrong,
\`detail\` lists them as \`{"loc", "msg", "type"}\`. 429 and 503 carry \`Retry-After\`; 405 carries \`Allow\`. What was refused with 4xx or
503 has not been stored and may be sent again.

${markdownTable(
  ['code', 'status'],
  Object.entries(ERROR_STATUS).map(([code, status]) => [`\`${code}\``, String(status)]),
)}

## Limits

${markdownTable(['what', 'limit', 'beyond it'], limitLines(readSettings({})))}

Bodies may be compressed: \`Content-Encoding: gzip\`, \`deflate\` or \`br\`, and \`zstd\` on Node 24.

## The server itself

These need no credentials.

${markdownTable(
  ['path', 'what it answers'],
  Object.entries(PAGES).map(([path, summary]) => [`\`GET ${path}\``, summary]),
)}

${sections()
  .map(({ noun, operations }) => `## ${noun}\n\n${operations.map(operationText).join('\n\n')}`)
  .join('\n\n')}
`
}

const ANSWERS = {
  json: 'Answers one JSON document.',
  jsonl: 'Answers one JSON document a line.',
  bytes: 'Answers bytes.',
  stream: 'Answers bytes as they are made.',
  events: 'Answers server-sent events, one JSON document in each.',
} as const

function operationText({ name, operation, request, response }: Description): string {
  const spellings = [operation.path, ...operation.aliases]
    .map((path) => `\`${operation.method} ${path}\``)
    .join(', ')
  const form = operation.body === 'multipart' ? ' The request is a multipart form.' : ''
  return `### ${name}

${spellings}

${operation.summary} Access: ${operation.access}.${form} ${ANSWERS[operation.responseFormat]}

${fieldsText('Request', request)}${['bytes', 'stream'].includes(operation.responseFormat) ? '' : `\n\n${fieldsText('Response', response)}`}`
}

function fieldsText(title: string, schema: JsonSchema): string {
  const lines = fieldLines(schema)
  if (lines.length === 0) return `${title}: no fields.`
  const rows = lines.map((line) => [`\`${line.path}\``, line.type, line.required ? 'yes' : '', line.note])
  return `${title}:\n\n${markdownTable(['field', 'type', 'required', ''], rows)}`
}
