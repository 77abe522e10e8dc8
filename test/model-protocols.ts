import { randomBytes } from 'node:crypto'
import type { ChatRequest, ModelReply } from './model-server.ts'

/** The APIs of other providers in the terms of OpenAI's chat API, for the model server. */

export interface Protocol {
  readonly isAt: (path: string) => boolean
  readonly request: (body: ProviderBody) => ChatRequest
  readonly response: (body: ProviderBody, reply: ModelReply) => object
}

/** What the APIs have besides `model`, as far as the replies depend on it. */
export interface ProviderBody {
  readonly model?: string
  readonly instructions?: string
  readonly input?: unknown
  readonly messages?: ChatRequest['messages']
  readonly contents?: unknown
  readonly tools?: readonly object[]
  readonly toolConfig?: { readonly tools?: readonly { readonly toolSpec?: { readonly name: string } }[] }
}

/** A request whose messages only tell whether a tool has replied. */
function chatRequest(
  { model = '' }: ProviderBody,
  hasResult: boolean,
  names: readonly (string | undefined)[],
): ChatRequest {
  const tools = names.flatMap((name) => (name === undefined ? [] : [{ function: { name } }]))
  return { model, messages: hasResult ? [{ role: 'tool' }] : [{ role: 'user' }], tools }
}

const names = (tools: readonly object[] = []): (string | undefined)[] =>
  tools.map((tool) => (tool as { name?: string }).name)
const has = (value: unknown, member: string): boolean => JSON.stringify(value ?? '').includes(`"${member}"`)
const id = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
const json = (text: string): unknown => JSON.parse(text)

const responses: Protocol = {
  isAt: (path) => path.endsWith('/responses'),
  request: (body) => chatRequest(body, has(body.input, 'function_call_output'), names(body.tools)),
  response: ({ model, instructions }, { text = '', tool, usage }) => ({
    id: id('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    metadata: {},
    model,
    output: [
      { id: id('rs'), type: 'reasoning', summary: [{ type: 'summary_text', text: 'I should look.' }] },
      tool === undefined
        ? {
            id: id('msg'),
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
        : { id: id('fc'), type: 'function_call', call_id: 'call_1', status: 'completed', ...tool },
    ],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: usage.prompt,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.completion,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.prompt + usage.completion,
    },
  }),
}

const anthropic: Protocol = {
  isAt: (path) => path.endsWith('/messages'),
  request: (body) => {
    const request = chatRequest(body, has(body.messages, 'tool_result'), names(body.tools))
    const result = request.messages.filter(({ role }) => role === 'tool')
    return { ...request, messages: [...(body.messages ?? []), ...result] }
  },
  response: ({ model }, { text = '', tool, usage }) => ({
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content:
      tool === undefined
        ? [{ type: 'text', text }]
        : [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: json(tool.arguments) }],
    stop_reason: tool === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: usage.prompt - usage.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.completion,
    },
  }),
}

const gemini: Protocol = {
  isAt: (path) => path.includes(':generateContent'),
  request: (body) => {
    const declared = (body.tools ?? []) as readonly { functionDeclarations?: readonly object[] }[]
    const functions = declared.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    return chatRequest(body, has(body.contents, 'functionResponse'), names(functions))
  },
  response: ({ model }, { text, tool, usage }) => ({
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            tool === undefined ? { text } : { functionCall: { name: tool.name, args: json(tool.arguments) } },
          ],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.prompt,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.completion - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: usage.prompt + usage.completion,
    },
    modelVersion: model,
    responseId: id('gemini'),
  }),
}

const bedrock: Protocol = {
  isAt: (path) => path.endsWith('/converse'),
  request: (body) =>
    chatRequest(
      body,
      has(body.messages, 'toolResult'),
      (body.toolConfig?.tools ?? []).map(({ toolSpec }) => toolSpec?.name),
    ),
  response: (_, { text, tool, usage }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          tool === undefined
            ? { text }
            : { toolUse: { toolUseId: 'tooluse_1', name: tool.name, input: json(tool.arguments) } },
        ],
      },
    },
    stopReason: tool === undefined ? 'end_turn' : 'tool_use',
    usage: {
      inputTokens: usage.prompt - usage.cached,
      cacheReadInputTokens: usage.cached,
      outputTokens: usage.completion,
      totalTokens: usage.prompt + usage.completion,
    },
    metrics: { latencyMs: 12 },
  }),
}

export const PROTOCOLS: readonly Protocol[] = [responses, anthropic, gemini, bedrock]

/** Gemini and Bedrock have the model in the path. */
export function modelInPath(path: string): string | undefined {
  const model = /\/models?\/([^/]+?)(?::generateContent|\/converse)$/.exec(path)?.[1]
  return model === undefined ? undefined : decodeURIComponent(model)
}
