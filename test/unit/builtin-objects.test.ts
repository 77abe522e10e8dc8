import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/contract/api-error.ts'
import type { BuiltinClass } from '../../src/contract/objects/objects.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { valueDigest } from '../../src/core/objects/digest.ts'
import { withClass } from '../../src/core/objects/object-class.ts'

interface Case {
  readonly class: BuiltinClass
  readonly sent: string
  readonly stored: string
  readonly digest: string
}

/** Values and their digests as weave 0.54.0 computes them (`weave.trace.serialization.digest`). */
const CASES = readFileSync(new URL('builtin-objects.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

const stored = (name: BuiltinClass, val: unknown): string =>
  withClass(typeof val === 'string' ? RawJson.fromText(val) : RawJson.fromValue(val), name).text

function refusal(name: BuiltinClass, val: unknown): readonly [number, string] {
  try {
    return [200, stored(name, val)]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message]
  }
}

describe('a value of a built-in class is completed as by Weave', () => {
  test.each(CASES)('$class', ({ class: name, sent, stored: expected, digest }) => {
    const val = withClass(RawJson.fromText(sent), name)
    expect(val.text).toBe(expected)
    expect(valueDigest(val)).toBe(digest)
    // With its class keys, it is stored as it is.
    expect(withClass(val, name)).toBe(val)
  })
})

const model = (max_tokens: unknown) => ({ provider: 'd', max_tokens })
const storedTokens = (text: string): string | undefined =>
  /"max_tokens":(.*?),/.exec(stored('ProviderModel', `{"provider":"d","max_tokens":${text}}`))?.[1]

test('numbers and flags are converted as by Pydantic, everything else keeps its spelling', () => {
  for (const [sent, expected] of [
    ['" +1_000.00 "', '1000'],
    ['1180591620717411303424', '1180591620717411303424'],
    ['1e17', '100000000000000000'],
    ['true', '1'],
    ['-0', '0'],
  ] as const)
    expect([sent, storedTokens(sent)]).toEqual([sent, expected])
  for (const bad of [1.5, 1e30, '1.5', '', null, [], '0x10'])
    expect(refusal('ProviderModel', model(bad))).toEqual([422, 'obj.val.max_tokens: must be an integer'])
  const threshold = (text: string): string | undefined =>
    /"threshold":(.*?),/.exec(stored('AlertSpec', `{"spec":{"threshold":${text}}}`))?.[1]
  expect(['0.50', '"0.5"', '5', '1e400', 'true', '123456789012345678901'].map(threshold)).toEqual(
    ['0.50', '0.5', '5.0', '1e400', '1.0', '1.2345678901234568e+20'], //
  )
  const unique = (text: string): string | undefined =>
    /"unique_among_creators":(.*?),/.exec(
      stored('AnnotationSpec', `{"unique_among_creators":${text},"name":"\\u00e9"}`),
    )?.[1]
  expect(['0', '1.0', '"Yes"', '"off"', 'true'].map(unique)).toEqual([
    'false',
    'true',
    'true',
    'false',
    'true',
  ])
  expect(stored('AnnotationSpec', '{"name":"\\u00e9","name":"\\u00e8"}')).toContain('"name":"\\u00e8"')
})

test('what Weave refuses is refused, with the field', () => {
  const view = (definition: object) => ({ label: 'l', view_type: 't', definition })
  const panel = { id: 'a', layout: { x: 20, y: 0, w: 5, h: 1 }, panel_type: 'kpi', settings: {} }
  const dashboard = (change: object) => ({ label: 'l', definition: { panels: [{ ...panel, ...change }] } })
  const layout = { ...panel.layout, x: 0 }
  const provider = { base_url: 'https://example.com', api_key_name: '' }
  const cases: readonly (readonly [BuiltinClass, unknown, string])[] = [
    ['SavedView', { label: 'l' }, 'view_type: missing required field'],
    [
      'SavedView',
      view({ query: { $expr: { $literal: 1 } } }),
      'definition.query.$expr: must be an operation',
    ],
    ['SavedView', view({ query: { $expr: { $and: [] }, x: 1 } }), 'definition.query.x: unknown field'],
    ['SavedView', view({ query: { $expr: { $eq: [{ $literal: 1 }] } } }), '$expr.$eq: must be a list of 2'],
    ['SavedView', view({ charts: [{ x_axis: 'a' }] }), 'definition.charts.0.y_axis: missing required field'],
    ['SavedView', view({ columns: [{ path: [1.5] }] }), 'columns.0.path.0: must be a string or an integer'],
    ['SavedView', view({ sort_by: [{ field: 'a', direction: 'x' }] }), 'direction: must be "asc" or "desc"'],
    ['Leaderboard', { columns: [{ scorer_name: 's' }] }, 'columns.0.evaluation_object_ref: missing'],
    ['Leaderboard', { name: 1, columns: [] }, 'name: must be a string or null'],
    ['AlertSpec', { spec: null }, 'spec: must be an object'],
    ['AgentDashboard', dashboard({}), 'panels.0.layout: must end within 24 columns'],
    ['AgentDashboard', dashboard({ layout }), 'panels.0.settings.query: missing required field'],
    ['AgentDashboard', dashboard({ layout, panel_type: 'x' }), 'panels.0.panel_type: must be "kpi" or'],
    ['LLMStructuredCompletionModel', { llm_model_id: 'x', more: 1 }, 'more: unknown field'],
    ['LLMStructuredCompletionModel', { llm_model_id: 'x', ref: 'weave:///a' }, 'ref: must be null'],
    [
      'Provider',
      { ...provider, base_url: 'http://localhost:11434' },
      'base_url: must be a public http or https URL',
    ],
    ['AnnotationSpec', { field_schema: null }, 'field_schema: must be an object'],
    ['AnnotationSpec', { field_schema: { type: 'x' } }, 'field_schema.type: must be one of array'],
    ['Provider', { ...provider, return_type: 'x' }, 'return_type: must be "openai"'],
    [
      'Provider',
      { ...provider, extra_headers: { 'Metadata-Flavor': 'x' } },
      'Metadata-Flavor: is not allowed',
    ],
  ]
  for (const [name, val, message] of cases) {
    const [status, text] = refusal(name, val)
    expect([status, text]).toEqual([422, expect.stringContaining(message)])
    expect(text).toMatch(/^obj\.val\./)
  }
  expect(refusal('Provider', [1])).toEqual([400, 'an object of class Provider must be a JSON object'])
  const other = { _class_name: 'Model', _bases: ['Object', 'BaseModel'] }
  expect(refusal('Provider', other)).toEqual([400, 'the value is of class Model, not Provider'])
})
