import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { agentChecks, type Checks } from './agent-checks.ts'
import { MODEL, REPLY, RESPONSE_MODEL, USAGE } from '../model-server.ts'
import type { ReadCall } from './read-calls.ts'

/** What the calls of each program must look like, as read back. */

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
  /** As OpenAI's API has it, in inputs that an SDK stores as they were passed. */
  readonly content?: string
}

type Json = Readonly<Record<string, unknown>>

const byKind = (calls: readonly ReadCall[], kind: string): ReadCall[] =>
  calls.filter((call) => call.attributes['kind'] === kind)
const isFailed = (call: ReadCall): boolean => call.exception !== null
const messagesOf = (document: unknown): readonly Message[] => (document as { messages: Message[] }).messages
const textOf = ({ parts, content }: Message): string =>
  content ?? (parts ?? []).map((part) => part.content ?? '').join('')

/** The two calls of the model that succeeded: the first one calls a tool, the second one replies. */
function modelCalls(calls: readonly ReadCall[]): readonly [ReadCall, ReadCall] {
  const [first, second, ...others] = byKind(calls, 'llm').filter((call) => !isFailed(call))
  ok(first && second && others.length === 0, 'there are two successful calls of the model')
  return [first, second]
}

const STACK_FRAME = /\n\s+(File|at) /

interface Expected {
  /** The op name of calls of the model. */
  readonly op?: string
  readonly provider?: string
  readonly thread?: string
  readonly user?: string
  /** Some instrumentations leave them out. */
  readonly hasCachedTokens?: boolean
  readonly hasReasoningTokens?: boolean
  readonly hasTools?: boolean
  /** The class of the exception, if it has a stack trace. */
  readonly exception?: string
}

/** Checks of programs that hold the conversation of programs/chat.py. */
function conversation(expected: Expected): Checks {
  const { hasCachedTokens = true, hasReasoningTokens = true, hasTools = true } = expected
  return {
    'op name, model and provider': (calls) => {
      for (const call of modelCalls(calls)) {
        strictEqual(call.op_name, expected.op ?? `chat ${MODEL}`)
        strictEqual(call.attributes['model'], RESPONSE_MODEL)
        if (expected.provider !== undefined) strictEqual(call.attributes['provider'], expected.provider)
      }
    },
    'the messages of the prompt': (calls) => {
      const [first, second] = modelCalls(calls)
      const roles = messagesOf(second.inputs).map(({ role }) => role)
      strictEqual(
        textOf(messagesOf(first.inputs).find(({ role }) => role === 'user')!),
        'How warm is it in Zürich?',
      )
      ok(JSON.stringify(first.inputs).includes('You know the weather.'))
      ok(roles.includes('assistant'), 'the second prompt has the call of the tool')
      ok(JSON.stringify(messagesOf(second.inputs)).includes('21.5'), 'and its result')
    },
    'the tool call and the reply': (calls) => {
      const [first, second] = modelCalls(calls)
      const [call] = messagesOf(first.output).flatMap(({ parts = [] }) => parts)
      deepStrictEqual([call?.type, call?.name], ['tool_call', 'get_weather'])
      const given = call?.arguments
      deepStrictEqual(typeof given === 'string' ? (JSON.parse(given) as unknown) : given, { city: 'Zürich' })
      strictEqual(textOf(messagesOf(second.output)[0]!), REPLY)
    },
    'parameters and tools': (calls) => {
      const [{ inputs }] = modelCalls(calls)
      if (hasTools) ok(JSON.stringify(inputs['tools']).includes('"get_weather"'))
      const parameters = inputs['parameters'] as Json | undefined
      if (parameters?.['temperature'] !== undefined) strictEqual(parameters['temperature'], 0.5)
    },
    'usage and cost': (calls) => {
      for (const { summary } of modelCalls(calls)) {
        const usage = (summary['usage'] as Record<string, Json>)[RESPONSE_MODEL]!
        strictEqual(usage['prompt_tokens'], USAGE.prompt)
        strictEqual(usage['completion_tokens'], USAGE.completion)
        strictEqual(usage['total_tokens'], USAGE.prompt + USAGE.completion)
        strictEqual(usage['requests'], 1)
        strictEqual('input_tokens' in usage, false)
        if (hasCachedTokens) strictEqual(usage['cache_read_input_tokens'], USAGE.cached)
        if (hasReasoningTokens) strictEqual(usage['reasoning_tokens'], USAGE.reasoning)
        ok(costOf(summary) > 0, 'there is a cost')
      }
    },
    'usage is counted once': (calls) => {
      const counted = calls.filter(({ summary }) =>
        JSON.stringify(summary['usage'] ?? {}).includes('prompt_tokens'),
      )
      strictEqual(counted.length, 2)
    },
    'thread and user': (calls) => {
      for (const call of modelCalls(calls)) {
        if (expected.thread !== undefined) strictEqual(call.thread_id, expected.thread)
        if (expected.user !== undefined) strictEqual(call.attributes['user_id'], expected.user)
      }
    },
    'the error': (calls) => {
      const failed = byKind(calls, 'llm').filter(isFailed)
      strictEqual(failed.length, 1)
      const [{ exception, summary }] = failed as [ReadCall]
      const text = exception ?? ''
      ok(text.includes('no-such-model'), text)
      if (expected.exception !== undefined) {
        ok(text.startsWith(expected.exception), text)
        ok(STACK_FRAME.test(text), 'it has a stack trace')
      }
      strictEqual((summary['weave'] as Json)['status'], 'error')
    },
  }
}

function costOf(summary: Json): number {
  const costs = (summary['weave'] as { costs?: Record<string, Record<string, number>> }).costs ?? {}
  return Object.values(costs).reduce((sum, cost) => sum + (cost['prompt_tokens_total_cost'] ?? 0), 0)
}

/** The call of a tool, with its arguments and its result. */
const tool = (inputs: unknown): Checks => ({
  'the tool': (calls) => {
    const [call, ...others] = byKind(calls, 'tool')
    ok(call !== undefined && others.length === 0)
    strictEqual(call.op_name, 'get_weather')
    deepStrictEqual(call.inputs, inputs)
    deepStrictEqual(call.output, { city: 'Zürich', celsius: 21.5 })
  },
})

/** The root of a trace, above the calls of the model. */
const root = (kind: string, op_name: string, reply = REPLY): Checks => ({
  [`the ${kind}`]: (calls) => {
    const call = byKind(calls, kind).find((each) => each.parent_id === null && !isFailed(each))
    strictEqual(call?.op_name, op_name)
    ok(JSON.stringify(call.output).includes(reply))
    ok(JSON.stringify(call.inputs).includes('How warm is it'))
    for (const each of modelCalls(calls)) strictEqual(each.trace_id, call.trace_id)
  },
})

/** Checks of programs/spans.*. */
const spans = (exception: string): Checks => ({
  'the tree of calls': (calls) => {
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
  },
  'attributes, thread and user': ([parent]) => {
    strictEqual(parent?.attributes['steps'], 3)
    strictEqual(parent.thread_id, 's1')
    strictEqual(parent.attributes['user_id'], 'u1')
  },
  'messages, usage and cost': ([, chat]) => {
    ok(chat)
    strictEqual(textOf(messagesOf(chat.inputs)[0]!), 'Hi, Zürich')
    strictEqual(textOf(messagesOf(chat.output)[0]!), 'Grüezi')
    const usage = chat.summary['usage'] as Record<string, Json>
    strictEqual(usage[RESPONSE_MODEL]?.['prompt_tokens'], 100)
    ok(costOf(chat.summary) > 0)
  },
  'the exception with its stack': ([, , failed]) => {
    const text = failed?.exception ?? ''
    ok(text.startsWith(exception), text)
    ok(STACK_FRAME.test(text), text)
  },
})

const JAVASCRIPT = spans('TypeError: no such file')
const PYTHON = spans('ValueError: no such file')

/** By the name of the instrumentation. */
export const checks: Readonly<Record<string, Checks>> = {
  'node-protobuf': JAVASCRIPT,
  'node-json': JAVASCRIPT,
  'node-gzip': JAVASCRIPT,
  'node-grpc': JAVASCRIPT,
  'python-http': PYTHON,
  'python-grpc': PYTHON,
  ...agentChecks,
  openinference: conversation({
    op: 'ChatCompletion',
    provider: 'openai',
    thread: 's1',
    user: 'u1',
    exception: 'openai.NotFoundError: ',
  }),
  openllmetry: {
    ...conversation({ provider: 'openai', thread: 's1', user: 'u1', exception: 'openai.NotFoundError: ' }),
    ...tool({ args: [], kwargs: { city: 'Zürich' } }),
    ...root('workflow', 'weather_workflow'),
  },
  'genai-logs': conversation({
    provider: 'openai',
    hasCachedTokens: false,
    hasReasoningTokens: false,
    hasTools: false,
  }),
  'genai-latest': conversation({ provider: 'openai' }),
  langfuse: {
    ...conversation({ op: 'OpenAI-generation', thread: 's1', user: 'u1' }),
    ...tool({ args: [], kwargs: { city: 'Zürich' } }),
    ...root('agent', 'weather_agent'),
  },
  'pydantic-ai': {
    ...conversation({ provider: 'openai', exception: 'pydantic_ai.exceptions.ModelNotFoundError: ' }),
    ...tool({ city: 'Zürich' }),
    ...root('agent', 'invoke_agent weather_agent'),
  },
  'ai-7': {
    ...conversation({ provider: 'openai', hasReasoningTokens: false, exception: 'AI_APICallError: ' }),
    ...tool({ city: 'Zürich' }),
    ...root('agent', 'invoke_agent weather-agent'),
  },
  'ai-6': {
    ...conversation({
      op: `ai.generateText.doGenerate ${MODEL}`,
      provider: 'openai',
      thread: 's1',
      user: 'u1',
      exception: 'AI_APICallError: ',
    }),
    ...tool({ city: 'Zürich' }),
    ...root('agent', 'ai.generateText weather-agent'),
  },
}
