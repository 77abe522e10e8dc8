import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/contract/api-error.ts'
import { type OperationName, operationNames, operations } from '../../src/contract/operations.ts'
import {
  CALL_FIELDS,
  COST_FIELDS,
  FEEDBACK_FIELDS,
  fieldPattern,
  SPAN_FIELDS,
} from '../../src/contract/query.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { splitPath } from '../../src/core/query/path.ts'
import { docsPage } from '../../src/http/docs/docs-page.ts'
import { openApi } from '../../src/http/docs/openapi.ts'
import { PAGES } from '../../src/http/pages.ts'
import { OPERATORS, QUERY_EXAMPLE } from '../../src/http/docs/query-schema.ts'
import { SPAN_SOURCES } from '../../src/store/agents/spans.ts'
import { callFields } from '../../src/store/calls/read/field-resolver.ts'
import { priceFields } from '../../src/store/costs/price-fields.ts'
import { feedbackFields } from '../../src/store/feedback/feedback-fields.ts'
import type { Fields } from '../../src/store/query/field.ts'
import { sql } from '../../src/store/query/sql.ts'
import { TABLES } from '../conformance/bodies.ts'

interface Schema {
  readonly $ref?: string
  readonly required?: readonly string[]
  readonly items?: { readonly oneOf?: readonly Schema[] }
  readonly pattern?: string
  readonly minimum?: number
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Content {
  readonly content?: Record<string, { readonly schema: Schema }>
}

interface Document {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> }
  readonly paths: Record<
    string,
    Record<string, { readonly requestBody?: Content; readonly responses: Record<string, Content> }>
  >
}

const document = openApi('0', PAGES) as unknown as Document
const nodes = [...walk(document)]

function* walk(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* walk(inner)
}

function request(path: string): Schema {
  return document.paths[path]?.['post']?.requestBody?.content?.['application/json']?.schema ?? {}
}

function requestField(path: string, name: string): Schema {
  return request(path).properties?.[name] ?? {}
}

function statuses(path: string, method = 'post'): string[] {
  return Object.keys(document.paths[path]?.[method]?.responses ?? {})
}

describe('the OpenAPI document', () => {
  const patterns = [
    ...new Set(nodes.map(({ pattern }) => pattern).filter((text) => typeof text === 'string')),
  ]

  test('has patterns that every regex engine reads', () => {
    expect(patterns.length).toBeGreaterThan(10)
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\[pP]\{|\(\?<|\[:/)
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow()
    }
  })

  test('refers only to what it defines', () => {
    const references = nodes.map(({ $ref }) => $ref).filter((ref) => typeof ref === 'string')
    expect(references.length).toBeGreaterThan(100)
    for (const reference of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
      expect([reference, target]).toEqual([reference, expect.any(Object)])
    }
  })

  test.each(['/objs/query', '/cost/query', '/table/query', '/feedback/query', '/calls/query'])(
    '%s has a limit and an offset of at least 0',
    (path) => {
      for (const name of ['limit', 'offset']) {
        expect(requestField(path, name).anyOf).toContainEqual(expect.objectContaining({ minimum: 0 }))
      }
    },
  )

  test.each([
    ['/cost/query', 'CostQuery'],
    ['/calls/query_stats', 'CallQuery'],
    ['/feedback/query', 'FeedbackQuery'],
  ])('the query of %s is a %s or null', (path, component) => {
    expect(requestField(path, 'query').anyOf).toEqual([
      expect.objectContaining({ $ref: `#/components/schemas/${component}` }),
      { type: 'null' },
    ])
  })

  test('names its version of OpenAPI, itself and the authentication of the specification', () => {
    expect(document.openapi).toMatch(/^3\.1/)
    expect(document.info).toMatchObject({ title: expect.any(String), version: '0' })
    expect(document.components.securitySchemes).toMatchObject({ basic: { type: 'http', scheme: 'basic' } })
  })

  test.each(TABLES)('requires of $path what the specification requires, and returns its fields', (table) => {
    const { path, fields, responseFields } = table
    const required = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []))
    // `weave_ref` may be sent in its place.
    expect(request(path).required).toEqual(required.filter((name) => name !== 'item_ref'))
    const response = document.paths[path]?.['post']?.responses['200']?.content?.['application/json']?.schema
    expect(response?.required).toEqual(expect.arrayContaining(Object.keys(responseFields)))
    expect(statuses(path)).toEqual(expect.arrayContaining(['400', '401', '403', '422']))
  })

  test('has the fields of both items of a batch', () => {
    const items = requestField('/call/upsert_batch', 'batch').items?.oneOf ?? []
    const fieldsOf = (mode: string): string[] =>
      items.flatMap((item) => Object.keys(item.properties?.['req']?.properties?.[mode]?.properties ?? {}))
    expect(fieldsOf('start')).toEqual(expect.arrayContaining(['project_id', 'op_name', 'inputs']))
    expect(fieldsOf('end')).toEqual(
      expect.arrayContaining(['project_id', 'id', 'ended_at', 'exception', 'output', 'summary']),
    )
  })

  test('states the errors of an operation', () => {
    expect(statuses('/obj/read')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '422',
      '429',
      '500',
      '503',
      '504',
    ])
    expect(statuses('/obj/create')).toContain('409')
    expect(statuses('/call/start')).not.toContain('404')
    expect(statuses('/health', 'get')).not.toContain('401')
  })
})

describe('fields of queries', () => {
  const resolvers: [string, Fields, Parameters<typeof fieldPattern>[0]][] = [
    ['calls', callFields('acme/demo', { cost: sql`1` }), CALL_FIELDS],
    ['feedback', feedbackFields, FEEDBACK_FIELDS],
    ['prices', priceFields, COST_FIELDS],
    ['spans', callFields('acme/demo', SPAN_SOURCES), SPAN_FIELDS],
  ]

  test.each(resolvers)('of %s are those that the store resolves', (_name, resolve, fields) => {
    const resolved = (name: string): unknown => resolve(splitPath(name), name)
    for (const name of fields.columns) expect(resolved(name)).toBeDefined()
    for (const name of fields.documents) {
      expect(resolved(name)).toBeDefined()
      expect(resolved(`${name}.a.0`)).toBeDefined()
    }
    const pattern = new RegExp(fieldPattern(fields))
    for (const name of allowedNames(resolve)) expect(name).toMatch(pattern)
  })

  /** The names in the error message of an unknown field. */
  function allowedNames(resolve: Fields): string[] {
    try {
      resolve(['nothing'], 'nothing')
    } catch (error) {
      const [, list = ''] = (error as Error).message.split('allowed: ')
      return list.split(', ').map((name) => name.replace('<type or *>', '*').replace(/\*$|<key>$/, 'x'))
    }
    return []
  }

  const callField = new RegExp(fieldPattern(CALL_FIELDS))

  test.each([
    'inputs',
    'inputs.a.0',
    String.raw`attributes.env\.name`,
    'inputs.-',
    'feedback.[a.b].payload.x',
  ])('%s is a field of calls', (name) => {
    expect(callField.test(name)).toBe(true)
    expect(callFields('acme/demo')(splitPath(name), name)).toBeDefined()
  })

  test.each(['', 'nothing', 'id.x', 'inputs.', 'inputs..a', 'inputs.-1', 'inputs.-1.a', 'feedback.note'])(
    '"%s" is not a field of calls',
    (name) => {
      expect(callField.test(name)).toBe(false)
      expect(() => callFields('acme/demo')(splitPath(name), name)).toThrow(ApiError)
    },
  )
})

describe('the API reference', () => {
  const page = docsPage('0', { bodyLimitBytes: 1, inFlightLimitBytes: 1, memoryWaitMs: 1 })
  const text = (html: string): string =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(+code))

  test('begins with the ten operations of the specification, and has each operation once', () => {
    const names = [...page.matchAll(/<article id="(\w+)">/g)].map(([, name = '']) => name)
    expect(names.slice(0, TABLES.length).map((name) => operations[name as OperationName].path)).toEqual(
      TABLES.map(({ path }) => path),
    )
    expect(names.toSorted()).toEqual(operationNames().toSorted())
    expect(page.indexOf('id="specification"')).toBeLessThan(page.indexOf('id="requests"'))
    // Who searches the page for the path of one of them comes to its description, not to the contents.
    const opening = page.slice(0, page.indexOf('<article'))
    expect(TABLES.filter(({ path }) => opening.includes(path))).toEqual([])
  })

  test('lists the fields of both items of a batch', () => {
    const article = /<article id="call_upsert_batch">.*?<\/article>/s.exec(page)?.[0] ?? ''
    for (const name of ['op_name', 'inputs', 'ended_at', 'exception', 'output', 'summary'])
      expect(text(article)).toMatch(new RegExp(`\\b${name}\\b`))
    expect(text(article)).toContain('Only with mode "end"')
  })

  test('has the grammar of queries and the forms of refs', () => {
    for (const { name } of OPERATORS) expect(text(page)).toContain(name)
    expect(text(page)).toContain('weave:///<entity>/<project>/call/<id>')
  })

  test('describes every operator of the parser, and an example that it reads', () => {
    expect(parseQuery(RawJson.fromText(QUERY_EXAMPLE))).toMatchObject({ op: 'and' })
    const unknown = RawJson.fromValue({ $expr: { $nothing: 1 } })
    expect(() => parseQuery(unknown)).toThrow(`known are ${OPERATORS.map(({ name }) => name).join(', ')}`)
  })
})
