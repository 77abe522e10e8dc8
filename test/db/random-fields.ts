import fc from 'fast-check'
import { type Node, parseNode } from '../../src/core/query/node.ts'
import type { Row } from '../query-interpreter.ts'

/** Random documents with what SDKs and OpenTelemetry send for named fields, and the values that readers must see. */

type Members = readonly (readonly [string, string])[]

const json = (value: unknown): string => JSON.stringify(value)
const oneOf = (...values: unknown[]): fc.Arbitrary<string> => fc.constantFrom(...values.map(json))

function someOf(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Members> {
  const all = Object.entries(members).map(([key, value]) =>
    fc.tuple(fc.boolean(), value).map(([isPresent, text]): Members => (isPresent ? [[key, text]] : [])),
  )
  return fc.tuple(...all).map((each) => each.flat())
}

/** Documents with more than 64 fields, and with numbers out of range, are not extracted. */
const filler: fc.Arbitrary<Members> = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  fc.constant(Array.from({ length: 70 }, (_, i) => [`k${i}`, '1'] as const)),
  fc.constant([['huge', '1e400']] as const),
)

function objectOf(members: fc.Arbitrary<Members>): fc.Arbitrary<string> {
  return fc
    .tuple(members, filler)
    .map((parts) => `{${parts.flat().map(([key, text]) => `${json(key)}: ${text}`).join(', ')}}`) // prettier-ignore
}

export const fieldAttributes = objectOf(
  someOf({
    user_id: oneOf('ada', '', 7, null),
    user: oneOf('dee', { id: 'cy' }, { name: 'x' }, ['ada']),
    'user.id': oneOf('eve'),
    session_id: oneOf('s1', 's2', 5),
    'gen_ai.conversation.id': oneOf('c1'),
    env: oneOf('prod', 'dev'),
    deployment: oneOf({ environment: { name: 'staging' } }, { environment: 'canary' }),
    provider: oneOf('OpenAI', 'anthropic'),
    error: oneOf({ type: 'openai.RateLimitError' }, 'none'),
    tags: oneOf(['a', 'b'], ['b', '', 'b', 3], 'solo', [], 5),
    ttft_ms: oneOf(120.5, '80', 'soon'),
  }),
)

const usage = oneOf(
  { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  {
    'gpt-4o': { prompt_tokens: 3, completion_tokens: 4 },
    'claude-sonnet-4': { input_tokens: 100, output_tokens: 20, total_tokens: 125 },
  },
  { mystery: { requests: 1 } },
  { 'gpt-4o': { prompt_tokens: 5_000_000_000 } },
  { 'gpt-4o': 5 },
  {},
)

export const fieldSummary = objectOf(
  someOf({ usage, ttft_ms: oneOf(250, 12.25, 0.1234567891), time_to_first_token: oneOf(1.5) }),
)

export const fieldException = fc.constantFrom(
  'ValueError: no',
  'openai.APIError',
  'something failed: badly',
  '{"type": "TimeoutError", "message": "late", "traceback": []}',
  '{"type": 5',
  'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1\n\nDuring handling:\n\nTraceback\nmy.pkg.OtherError: x\n  more\nNote: y',
  'Traceback (most recent call last):\n  File "a.py", line 1\nBoom',
  'TypeError: x is not a function\n    at f (a.js:1:2)',
)

interface FieldSource {
  readonly op_name: string
  readonly thread_id: string
  readonly attributes: string
  readonly exception: string | null
  readonly summary: string
}

/** The named fields that are computed from documents. */
export function documentFields(call: FieldSource): Row {
  const attributes = parseNode(Buffer.from(call.attributes))
  const summary = call.summary === '' ? undefined : parseNode(Buffer.from(call.summary))
  const text = (...paths: string[][]): string | null =>
    paths.map((path) => scalarText(at(attributes, path))).find((found) => found !== '') ?? null
  const tokens = usageOf(summary)
  const count = (counts: readonly bigint[]): bigint | null =>
    counts.length === 0 ? null : counts.reduce((sum, each) => sum + each, 0n)
  return new Map<string, Row extends ReadonlyMap<string, infer Cell> ? Cell : never>([
    ['model', { any: tokens.map(({ model }) => model) }],
    ['input_tokens', { int: count(tokens.map(({ input }) => input)) }],
    ['output_tokens', { int: count(tokens.map(({ output }) => output)) }],
    ['total_tokens', { int: count(tokens.map(({ total }) => total)) }],
    ['provider', { text: text(['provider'])?.toLowerCase() ?? null }],
    ['end_user', { text: text(['user_id'], ['user', 'id'], ['user.id'], ['user']) }],
    [
      'session',
      { text: call.thread_id === '' ? text(['session_id'], ['gen_ai.conversation.id']) : call.thread_id },
    ],
    [
      'environment',
      { text: text(['env'], ['deployment', 'environment', 'name'], ['deployment', 'environment']) },
    ],
    ['tags', { any: tagsIn(at(attributes, ['tags'])) }],
    ['time_to_first_token', { float: firstToken(summary, attributes) }],
    ['error_type', { text: typeOfError(call.exception, text(['error', 'type'])) }],
  ])
}

function at(node: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (found, key) => (found?.kind === 'object' ? found.members.get(key) : undefined),
    node,
  )
}

function scalarText(node: Node | undefined): string {
  if (node?.kind === 'string') return node.value
  if (node?.kind === 'number') return node.lexeme
  return node?.kind === 'bool' ? String(node.value) : ''
}

function tagsIn(node: Node | undefined): string[] {
  const items = node?.kind === 'array' ? node.items : node === undefined ? [] : [node]
  const texts = items.flatMap((item) => (item.kind === 'string' && item.value !== '' ? [item.value] : []))
  return [...new Set(texts)]
}

function firstToken(summary: Node | undefined, attributes: Node): number | null {
  for (const document of [summary, attributes])
    for (const [key, unit] of [
      ['ttft_ms', 1],
      ['time_to_first_token', 1000],
    ] as const) {
      const found = scalarText(at(document, [key]))
      if (/^\d+(\.\d+)?$/.test(found)) return Number(found) * unit
    }
  return null
}

function usageOf(summary: Node | undefined) {
  const usage = at(summary, ['usage'])
  const models = usage?.kind === 'object' ? [...usage.members] : []
  return models.flatMap(([model, counts]) => {
    if (counts.kind !== 'object') return []
    const tokens = (key: string): bigint => BigInt(scalarText(at(counts, [key])) || '0')
    const input = tokens('prompt_tokens') + tokens('input_tokens')
    const output = tokens('completion_tokens') + tokens('output_tokens')
    return [{ model, input, output, total: tokens('total_tokens') || input + output }]
  })
}

/** The expected types of the exceptions above; of others the first line decides. */
function typeOfError(exception: string | null, stated: string | null): string | null {
  if (exception === null) return null
  if (exception.startsWith('{"type": "TimeoutError"')) return 'TimeoutError'
  if (stated !== null) return stated.split('.').at(-1)!
  if (exception.startsWith('Traceback')) return exception.endsWith('Boom') ? 'Boom' : 'OtherError'
  const [line = ''] = exception.split('\n')
  const type = /^([\w$]+\.)*([A-Z][\w$]*)(:|$)/.exec(line)?.[2]
  return type ?? null
}
