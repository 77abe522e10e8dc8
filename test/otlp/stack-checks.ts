import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { MODEL, REPLY, RESPONSE_MODEL, USAGE } from '../model-server.ts'
import type { ReadCall } from './read-calls.ts'

/** What the calls of a program must look like as read back, compared with what the model server replied. */

export const COLUMNS = [
  'tree',
  'conversation',
  'tokens',
  'cost',
  'tools',
  'errors',
  'session',
  'end user',
] as const

type Column = (typeof COLUMNS)[number]

/** Checks by what they state. The first words are a column of the table. */
export type Checks = Readonly<Record<string, (calls: readonly ReadCall[]) => void>>

/** Why a stack has no check in a column: what the sender does not send. */
type Absent = Readonly<Partial<Record<Column, string>>>

export interface Stack {
  /** Its name in the table; stacks without one are not in it. */
  readonly title?: string
  readonly checks: Checks
  readonly absent?: Absent
}

interface Part {
  readonly type: string
  readonly content?: string
  readonly name?: string
  readonly arguments?: unknown
  readonly response?: unknown
}

interface Message {
  readonly role: string
  readonly parts?: readonly Part[]
}

type Json = Readonly<Record<string, unknown>>

const byKind = (calls: readonly ReadCall[], kind: string): ReadCall[] =>
  calls.filter((call) => call.attributes['kind'] === kind)
const isFailed = (call: ReadCall): boolean => call.exception !== null
export const messagesOf = (document: unknown): readonly Message[] =>
  (document as { messages?: readonly Message[] } | null)?.messages ?? []
const textOf = ({ parts = [] }: Message): string =>
  parts
    .filter(({ type }) => type === 'text')
    .map(({ content = '' }) => content)
    .join('')

/** Such as `openinference.instrumentation.anthropic`. */
export const scopeOf = (call: ReadCall): string =>
  (call.attributes['otel'] as { scope: { name: string } }).scope.name

export interface Expected {
  /** The op name of calls of the model. */
  readonly op?: string
  /** The model of the calls; by default, the release that the server replies with. */
  readonly model?: string
  readonly provider?: string
  /** Which calls of the kind `llm` are requests. Some frameworks have others around them. */
  readonly isRequest?: (call: ReadCall) => boolean
  /** Some instrumentations leave them out. */
  readonly hasCachedTokens?: boolean
  readonly hasReasoningTokens?: boolean
  /** Dollars that the prompt of one call costs, and its reply; by default, those of `gpt-4o-mini`. */
  readonly prices?: readonly [prompt: number, cachedPrompt: number, completion: number]
  /** Calls of the tool are spans of their own, with this op name. Otherwise the model is only offered the tool. */
  readonly tool?: string
  /** Without a span around the conversation, its calls are traces of their own. */
  readonly hasRoot?: boolean
  /** The agent asks in its own words, so that only the question must be there. */
  readonly hasSystemPrompt?: boolean
  /** Frameworks that send the session or the user with the root only. */
  readonly isOfRoot?: boolean
  /** The class of the exception, if it has a stack trace. */
  readonly exception?: string
  readonly absent?: Absent
}

const STACK_FRAME = /\n\s+(File|at) /
const QUESTION = 'How warm is it in Zürich?'

/** Checks of programs that hold the conversation of programs/chat.py. */
export function conversation(title: string, expected: Expected): Stack {
  const { absent = {} } = expected
  const all: Readonly<Record<Column, Checks>> = {
    tree: treeChecks(expected),
    conversation: conversationChecks(expected),
    tokens: tokenChecks(expected),
    cost: { 'cost is that of the counted tokens': (calls) => checkCost(calls, expected) },
    tools: expected.tool === undefined ? offeredTools(expected) : toolChecks(expected.tool),
    errors: errorChecks(expected),
    session: { 'session of the calls': (calls) => checkThread(calls, expected) },
    'end user': { 'end user of the calls': (calls) => checkUser(calls, expected) },
  }
  const checks = COLUMNS.flatMap((column) =>
    absent[column] === undefined ? Object.entries(all[column]) : [],
  )
  return { title, checks: Object.fromEntries(checks), absent }
}

/** The two calls of the model that succeeded: the first one calls a tool, the second one replies. */
function modelCalls(
  calls: readonly ReadCall[],
  { isRequest = () => true }: Expected = {},
): readonly [ReadCall, ReadCall] {
  const [first, second, ...others] = byKind(calls, 'llm').filter((call) => !isFailed(call) && isRequest(call))
  ok(first && second && others.length === 0, 'there are two successful calls of the model')
  return [first, second]
}

function treeChecks(expected: Expected): Checks {
  const { op, model = RESPONSE_MODEL, provider, hasRoot = true } = expected
  return {
    'tree without gaps': (calls) => {
      const [first, second] = modelCalls(calls, expected)
      const trace = calls.filter((call) => call.trace_id === first.trace_id)
      const ids = new Set(trace.map(({ id }) => id))
      for (const { parent_id, op_name } of trace)
        ok(parent_id === null || ids.has(parent_id), `the parent of ${op_name} is stored`)
      if (!hasRoot) return
      strictEqual(second.trace_id, first.trace_id)
      strictEqual(trace.filter(({ parent_id }) => parent_id === null).length, 1)
      if (expected.tool !== undefined) ok(byKind(trace, 'tool').length > 0, 'the tool is in the trace')
    },
    'tree with the op name, model and provider of a call': (calls) => {
      for (const call of modelCalls(calls, expected)) {
        if (op !== undefined) strictEqual(call.op_name, op)
        strictEqual(call.attributes['model'], model)
        if (provider !== undefined) strictEqual(call.attributes['provider'], provider)
      }
    },
  }
}

function conversationChecks(expected: Expected): Checks {
  return {
    'conversation: the prompts': (calls) => {
      const [first, second] = modelCalls(calls, expected)
      const asked = messagesOf(first.inputs).filter(({ role }) => role === 'user')
      ok(
        asked.some((message) => textOf(message).includes(QUESTION)),
        'the first prompt has the question',
      )
      if (expected.hasSystemPrompt !== false)
        ok(JSON.stringify(first.inputs).includes('You know the weather.'), 'it has the instructions')
      ok(JSON.stringify(second.inputs).includes('21.5'), 'the second one has the result of the tool')
    },
    'conversation: the call of the tool and the reply': (calls) => {
      const [first, second] = modelCalls(calls, expected)
      const call = messagesOf(first.output)
        .flatMap(({ parts = [] }) => parts)
        .find(({ type }) => type === 'tool_call')
      ok(call !== undefined && call.name?.endsWith('get_weather') === true, 'the model calls the tool')
      const given = call.arguments
      deepStrictEqual(typeof given === 'string' ? (JSON.parse(given) as unknown) : given, { city: 'Zürich' })
      strictEqual(messagesOf(second.output).map(textOf).join('').trim(), REPLY)
    },
  }
}

function tokenChecks(expected: Expected): Checks {
  const { model = RESPONSE_MODEL, hasCachedTokens = true, hasReasoningTokens = true } = expected
  return {
    'tokens of each call': (calls) => {
      for (const { summary } of modelCalls(calls, expected)) {
        const usage = (summary['usage'] as Record<string, Json>)[model]
        ok(usage, 'there is usage')
        strictEqual(usage['prompt_tokens'], USAGE.prompt)
        strictEqual(usage['completion_tokens'], USAGE.completion)
        strictEqual(usage['total_tokens'], USAGE.prompt + USAGE.completion)
        strictEqual(usage['requests'], 1)
        strictEqual('input_tokens' in usage, false)
        if (hasCachedTokens) strictEqual(usage['cache_read_input_tokens'], USAGE.cached)
        if (hasReasoningTokens) strictEqual(usage['reasoning_tokens'], USAGE.reasoning)
      }
    },
    'tokens without a contradiction': (calls) => {
      for (const { attributes } of calls) strictEqual(attributes['usage_contradiction'], undefined)
    },
    'tokens are counted once': (calls) => {
      const { isRequest = () => true } = expected
      const counted = calls.filter(
        (call) => isRequest(call) && JSON.stringify(call.summary['usage'] ?? {}).includes('prompt_tokens'),
      )
      strictEqual(counted.length, 2)
    },
  }
}

const PER_TOKEN = [1.5e-7, 7.5e-8, 6e-7] as const

function checkCost(calls: readonly ReadCall[], expected: Expected): void {
  const { hasCachedTokens = true, prices: [prompt, cachedPrompt, completion] = PER_TOKEN } = expected
  const cached = hasCachedTokens ? USAGE.cached : 0
  for (const { summary } of modelCalls(calls, expected)) {
    const { costs = {} } = summary['weave'] as { costs?: Record<string, Record<string, number>> }
    const sum = (name: string): number =>
      Object.values(costs).reduce((all, cost) => all + (cost[name] ?? 0), 0)
    near(sum('prompt_tokens_total_cost'), (USAGE.prompt - cached) * prompt)
    near(sum('completion_tokens_total_cost'), USAGE.completion * completion)
    near(sum('cache_read_input_tokens_total_cost'), cached * cachedPrompt)
  }
}

function near(actual: number, wanted: number): void {
  ok(Math.abs(actual - wanted) < 1e-12, `${actual} is ${wanted}`)
}

function offeredTools(expected: Expected): Checks {
  return {
    'tools that the model is offered': (calls) => {
      const [{ inputs }] = modelCalls(calls, expected)
      ok(JSON.stringify(inputs['tools'] ?? '').includes('get_weather'))
      const parameters = inputs['parameters'] as Json | undefined
      if (typeof parameters?.['temperature'] === 'number') strictEqual(parameters['temperature'], 0.5)
    },
  }
}

function toolChecks(op: string): Checks {
  return {
    'tools with arguments and result': (calls) => {
      const [call, ...others] = byKind(calls, 'tool')
      ok(call !== undefined && others.length === 0, 'there is one call of a tool')
      strictEqual(call.op_name, op)
      ok(JSON.stringify(call.inputs).includes('Zürich'), JSON.stringify(call.inputs))
      ok(JSON.stringify(call.output).includes('21.5'), JSON.stringify(call.output))
      strictEqual(messagesOf(call.inputs).length, 0)
    },
  }
}

function errorChecks({ exception, isRequest = () => true }: Expected): Checks {
  return {
    'errors with their message': (calls) => {
      const failed = byKind(calls, 'llm').filter((call) => isFailed(call) && isRequest(call))
      const [call] = failed
      ok(call, 'a call of the model failed')
      const text = call.exception ?? ''
      ok(text.includes('no-such-model'), text)
      if (exception !== undefined) {
        ok(text.startsWith(exception), text)
        ok(STACK_FRAME.test(text), 'it has a stack trace')
      }
      strictEqual((call.summary['weave'] as Json)['status'], 'error')
    },
  }
}

function checkThread(calls: readonly ReadCall[], expected: Expected): void {
  for (const call of carriers(calls, expected)) strictEqual(call.thread_id, 's1')
}

function checkUser(calls: readonly ReadCall[], expected: Expected): void {
  for (const call of carriers(calls, expected)) strictEqual(call.attributes['user_id'], 'u1')
}

/** The calls that have the session and the user. */
function carriers(calls: readonly ReadCall[], expected: Expected): readonly ReadCall[] {
  const found = modelCalls(calls, expected)
  if (expected.isOfRoot !== true) return found
  return calls.filter(({ parent_id, trace_id }) => parent_id === null && trace_id === found[0].trace_id)
}

/** The root of a trace, above the calls of the model. */
export const root = (kind: string, op_name: string): Checks => ({
  [`tree below the ${kind}`]: (calls) => {
    const call = byKind(calls, kind).find((each) => each.parent_id === null && !isFailed(each))
    strictEqual(call?.op_name, op_name)
    ok(JSON.stringify(call.output).includes(REPLY))
    ok(JSON.stringify(call.inputs).includes('How warm is it'))
  },
})

/** Checks of programs/spans.*. */
export function spans(title: string, exception: string): Stack {
  const checks: Checks = {
    'tree of calls': (calls) => {
      deepStrictEqual(
        calls.map((call) => [call.op_name, call.attributes['kind'], call.display_name]),
        [
          ['plan trip', 'other', null],
          [`chat ${MODEL}`, 'llm', null],
          ['load', 'other', 'load 42'],
        ],
      )
      const [parent, ...children] = calls
      ok(children.every((call) => call.parent_id === parent?.id && call.trace_id === parent.trace_id))
      strictEqual(parent?.attributes['steps'], 3)
    },
    'session of the root': ([parent]) => strictEqual(parent?.thread_id, 's1'),
    'end user of the root': ([parent]) => strictEqual(parent?.attributes['user_id'], 'u1'),
    'conversation of the model': ([, chat]) => {
      strictEqual(textOf(messagesOf(chat?.inputs)[0]!), 'Hi, Zürich')
      strictEqual(textOf(messagesOf(chat?.output)[0]!), 'Grüezi')
    },
    'tokens of the model': ([, chat]) => {
      const usage = chat?.summary['usage'] as Record<string, Json>
      strictEqual(usage[RESPONSE_MODEL]?.['prompt_tokens'], 100)
    },
    'cost of the model': ([, chat]) => {
      ok(JSON.stringify(chat?.summary['weave']).includes('prompt_tokens_total_cost'))
    },
    'errors with their stack': ([, , failed]) => {
      const text = failed?.exception ?? ''
      ok(text.startsWith(exception), text)
      ok(STACK_FRAME.test(text), text)
    },
  }
  return { title, checks, absent: { tools: 'the program has no tool' } }
}
