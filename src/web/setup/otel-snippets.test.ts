import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { otelSnippets } from './otel-snippets.ts'

const DOCS = readFileSync(new URL('../../../docs/opentelemetry.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap(splitExports)
const TARGET = { origin: 'http://127.0.0.1:6340', project_id: 'acme/chatbot', key: '$HEDDLE_API_KEY' }

/** The docs set several variables in one line. */
function splitExports(line: string): string[] {
  return line.startsWith('export ') ? line.split(/ (?=[A-Z_]+=)/).map(exportLine) : [line]
}

function exportLine(assignment: string): string {
  return `export ${assignment.replace(/^export /, '')}`
}

describe('the docs have the code of the setup page', () => {
  test.each(otelSnippets(TARGET).map(({ name, steps }) => [name, steps] as const))('%s', (_, steps) => {
    const lines = steps.flatMap(({ code }) => code.split('\n')).flatMap(splitExports)
    expect(lines.filter((line) => !DOCS.includes(line) && line !== EXPORT_KEY)).toEqual([])
  })
})

/** The docs set the variable once, for all stacks. */
const EXPORT_KEY = `export HEDDLE_API_KEY=${TARGET.key}`

test('the server, the project and the key are filled in', () => {
  const code = otelSnippets({ origin: 'https://h.example', project_id: 'a/b', key: undefined })
    .flatMap(({ steps }) => steps.map((step) => step.code))
    .join('\n')
  expect(code).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=https://h.example\n')
  expect(code).toContain('LANGFUSE_PUBLIC_KEY=a/b\nexport LANGFUSE_SECRET_KEY=your-api-key')
  expect(code).not.toMatch(/127\.0\.0\.1|acme/)
})
