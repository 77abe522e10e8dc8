import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { modelInPath, type ProviderBody, PROTOCOLS } from './model-protocols.ts'

/**
 * A model API on loopback that speaks the protocols of OpenAI, Anthropic, Gemini and Bedrock, for their clients and
 * instrumentations of them. By default the model calls the first tool that it is offered, then replies with a fixed text. `no-such-model` is
 * an error; models with the names of `FAULTS` fail in other ways.
 */
export interface ModelServer {
  /** The URL of the server. OpenAI's clients add `/v1` to it. */
  readonly url: string
  /** What it received, in order. */
  readonly requests: readonly ReceivedRequest[]
  stop(): Promise<void>
}

interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The body as text. */
  readonly text: string
}

export const MODEL = 'gpt-4o-mini'
const RELEASES: Readonly<Record<string, string>> = { 'gpt-4o-mini': '2024-07-18', 'gpt-4o': '2024-08-06' }
export const RESPONSE_MODEL = releaseOf(MODEL)
export const REPLY = 'It is 21.5 °C in Zürich.'

/** Prompt tokens include the cached ones, completion tokens the reasoning. */
export const USAGE: Usage = { prompt: 100, completion: 20, cached: 40, reasoning: 5 }

export interface Usage {
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  readonly reasoning: number
}

export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly { readonly function?: { readonly name: string } }[]
}

/** What the model replies: a text or the call of a tool. */
export interface ModelReply {
  readonly text?: string
  readonly tool?: { readonly name: string; readonly arguments: string }
  readonly usage: Usage
  /** How long the model takes. */
  readonly ms?: number
}

export async function startModelServer(
  reply: (request: ChatRequest) => ModelReply = replyAboutWeather,
): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => void respond(request, response, reply, requests))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const sendError = (response: ServerResponse, status: number, message: string, headers = {}): void => {
  response.writeHead(status, headers).end(JSON.stringify({ error: { message, type: 'error' } }))
}

const CHUNK =
  'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n'

/** What goes wrong, by model. */
const FAULTS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'fault-429': (_, response) => sendError(response, 429, 'Rate limit reached'),
  'fault-429-retry-after': (_, response) =>
    sendError(response, 429, 'Rate limit reached', { 'retry-after': '7' }),
  'fault-500': (_, response) => sendError(response, 500, 'The server had an error'),
  'fault-503-html': (_, response) => response.writeHead(503).end('<html>busy</html>'),
  'fault-redirect': (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  'fault-not-json': (_, response) => response.writeHead(200).end('{"id": '),
  'fault-key-in-error': ({ headers }, response) =>
    sendError(response, 401, `Incorrect API key provided: ${headers.authorization}`),
  'fault-key-in-reply': ({ headers }, response) => {
    const content = `Your key is ${headers.authorization}`
    sendJson(response, 200, { choices: [{ index: 0, message: { role: 'assistant', content } }] })
  },
  'fault-cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(CHUNK)
    setImmediate(() => response.destroy())
  },
  'fault-end': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(CHUNK)
  },
  'fault-error-in-stream': (_, response) => {
    const error = 'data: {"error":{"message":"Overloaded"}}\n\n'
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(CHUNK + error)
  },
  'fault-slow': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(CHUNK), 50)
    request.socket.once('close', () => clearInterval(timer))
  },
  'fault-silent': () => {},
  'fault-huge': (_, response) => {
    response.writeHead(200)
    const block = Buffer.alloc(1024 * 1024, 0x20)
    const write = (): void => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', write)
    write()
  },
}

function replyAboutWeather({ messages, tools = [] }: ChatRequest): ModelReply {
  const name = tools[0]?.function?.name
  if (name === undefined || messages.some(({ role }) => role === 'tool')) return { text: REPLY, usage: USAGE }
  return { tool: { name, arguments: '{"city":"Zürich"}' }, usage: USAGE }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  reply: (request: ChatRequest) => ModelReply,
  requests: ReceivedRequest[],
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const text = Buffer.concat(await request.toArray()).toString()
  requests.push({ path: request.url ?? '', headers: request.headers, text })
  const sent = JSON.parse(text || '{}') as ChatRequest & ProviderBody
  const body = { ...sent, model: sent.model ?? modelInPath(path) ?? '' }
  const fault = FAULTS[body.model]
  if (fault !== undefined) return fault(request, response)
  if (body.model.endsWith('no-such-model')) {
    const message = 'The model `no-such-model` does not exist'
    return sendJson(response, 404, {
      message,
      error: { message, type: 'invalid_request_error', code: 'model_not_found' },
    })
  }
  if (path.endsWith('/embeddings')) return sendJson(response, 200, embeddings())
  const protocol = PROTOCOLS.find(({ isAt }) => isAt(path))
  const modelReply = reply(protocol?.request(body) ?? body)
  await sleep(modelReply.ms ?? 0)
  if (protocol !== undefined) {
    const model = releaseOf(body.model)
    return sendJson(response, 200, protocol.response({ ...body, model }, modelReply))
  }
  const completion = chatCompletion(body, modelReply)
  if (body.stream === true) sendStream(response, completion)
  else sendJson(response, 200, completion)
}

function releaseOf(model: string): string {
  const release = RELEASES[model]
  return release === undefined ? model : `${model}-${release}`
}

function chatCompletion({ model }: ChatRequest, { text, tool, usage }: ModelReply) {
  const message =
    tool === undefined
      ? { role: 'assistant', content: text ?? '', refusal: null }
      : {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: tool }],
        }
  return {
    // Unique, as those of real models.
    id: `chatcmpl-${randomBytes(14).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: releaseOf(model),
    choices: [
      { index: 0, message, logprobs: null, finish_reason: tool === undefined ? 'stop' : 'tool_calls' },
    ],
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
      prompt_tokens_details: { cached_tokens: usage.cached },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
    service_tier: 'default',
    system_fingerprint: `fp_${randomBytes(5).toString('hex')}`,
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
