import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model API on loopback that speaks OpenAI's protocol, for instrumentations of its clients. The model calls the first
 * tool that it is offered, then replies with a fixed text. `no-such-model` is an error.
 */
export interface ModelServer {
  /** The base URL of the API, with `/v1`. */
  readonly url: string
  stop(): Promise<void>
}

export const MODEL = 'gpt-4o-mini'
export const RESPONSE_MODEL = 'gpt-4o-mini-2024-07-18'
export const REPLY = 'It is 21.5 °C in Zürich.'
const TOOL_ARGUMENTS = '{"city":"Zürich"}'

/** Prompt tokens include the cached ones, completion tokens the reasoning. */
export const USAGE = { prompt: 100, completion: 20, cached: 40, reasoning: 5 } as const

interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') as ChatRequest
  if (body.model === 'no-such-model') {
    const message = 'The model `no-such-model` does not exist'
    return sendJson(response, 404, {
      error: { message, type: 'invalid_request_error', code: 'model_not_found' },
    })
  }
  if (request.url?.endsWith('/embeddings') === true) return sendJson(response, 200, embeddings())
  const completion = chatCompletion(body)
  if (body.stream === true) sendStream(response, completion)
  else sendJson(response, 200, completion)
}

function chatCompletion({ messages, tools = [] }: ChatRequest) {
  const [tool] = tools
  const callsTool = tool !== undefined && !messages.some(({ role }) => role === 'tool')
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: tool?.function.name ?? '', arguments: TOOL_ARGUMENTS },
  }
  const message = callsTool
    ? { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
    : { role: 'assistant', content: REPLY, refusal: null }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model: RESPONSE_MODEL,
    choices: [{ index: 0, message, logprobs: null, finish_reason: callsTool ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: USAGE.prompt,
      completion_tokens: USAGE.completion,
      total_tokens: USAGE.prompt + USAGE.completion,
      prompt_tokens_details: { cached_tokens: USAGE.cached },
      completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
    },
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  }
}

function embeddings() {
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.25, 0.5] }],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 3, total_tokens: 3 },
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The same completion in chunks. */
function sendStream(
  response: ServerResponse,
  { choices, usage, ...rest }: ReturnType<typeof chatCompletion>,
): void {
  const { message, finish_reason } = choices[0]!
  const toolCalls =
    'tool_calls' in message ? message.tool_calls?.map((call, index) => ({ index, ...call })) : undefined
  const chunk = (delta: object, reason: string | null) => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: message.content, ...(toolCalls && { tool_calls: toolCalls }) }, null),
    chunk({}, finish_reason),
    { ...rest, object: 'chat.completion.chunk', choices: [], usage },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const each of chunks) response.write(`data: ${JSON.stringify(each)}\n\n`)
  response.end('data: [DONE]\n\n')
}
