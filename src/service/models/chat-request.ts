import type { RawJson } from '../../contract/raw-json.ts'
import { readJson } from '../../core/json/read.ts'
import { isObject } from '../../core/json/is-object.ts'
import { find, items } from '../../core/json/navigate.ts'
import { REDACTED } from '../../core/json/key-redactor.ts'
import type { CompletionInputs } from '../../core/models/completion-request.ts'
import { readEventTexts } from '../../core/models/event-lines.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Budgets, Reservation } from './budget.ts'
import { configurationError, ModelError, type ModelResponse } from './model-connection.ts'
import type { ModelProviders, ModelTarget } from './model-provider.ts'
import { requestMessages } from './prompts.ts'

/** One request to a model in the protocol of OpenAI's chat API: prompt, budget, connection, response. */

/** Without a limit of the request or of the project. Weave's default for models of custom providers. */
const DEFAULT_MAX_TOKENS = 4_096
/** An image or a sound counts as this many tokens when an amount is reserved. Providers charge fewer for most. */
const MEDIA_TOKENS = 20_000
const MAX_TIMEOUT_SECONDS = 600
const DEFAULT_TIMEOUT_SECONDS = 300
const MAX_CHOICES = 128

interface ChatOptions {
  readonly isStream: boolean
  readonly signal: AbortSignal | undefined
}

export class ChatRequests {
  readonly #deps: Deps
  readonly #providers: ModelProviders
  readonly #budgets: Budgets
  readonly #objects: Pick<Handlers, 'obj_read'>

  constructor(deps: Deps, providers: ModelProviders, budgets: Budgets, objects: Pick<Handlers, 'obj_read'>) {
    this.#deps = deps
    this.#providers = providers
    this.#budgets = budgets
    this.#objects = objects
  }

  /** Returns when the provider has accepted the request. */
  async start(
    project_id: string,
    inputs: CompletionInputs,
    caller: Caller,
    { isStream, signal }: ChatOptions,
  ): Promise<RunningChat> {
    const target = await this.#providers.find(project_id, inputs, caller)
    const messages = await requestMessages(this.#objects, project_id, inputs, caller)
    const limit = await this.#budgets.limit(project_id)
    const tokens = completionTokens(inputs, target)
    const body = inputs.body([
      ['model', target.model],
      ...(messages === undefined ? [] : [['messages', messages] as const]),
      // A budget is kept only if the length of the response is limited.
      ...(limit === undefined || tokens.isGiven ? [] : [[target.limitKey, tokens.each] as const]),
      ...(isStream ? streamMembers(inputs) : []),
    ])
    const reservation =
      limit === undefined
        ? undefined
        : await this.#budgets.reserve(project_id, limit, {
            model: target.model,
            promptTokens: promptTokens(body),
            completionTokens: tokens.total,
          })
    try {
      const response = await this.#deps.models.send({
        url: endpoint(target, 'chat/completions'),
        headers: { ...target.headers, 'content-type': 'application/json' },
        body,
        timeoutMs: timeoutMs(inputs),
        signal,
      })
      if (response.status < 200 || response.status > 299) throw await statusError(response, target)
      return new RunningChat(response, target, reservation)
    } catch (error) {
      if (error instanceof ModelError && error.isFree) await reservation?.release()
      throw error
    }
  }
}

/** A response on its way. Whatever happens, the reservation is settled with the usage that was seen. */
export class RunningChat {
  usage: RawJson | undefined
  readonly model: string
  readonly #response: ModelResponse
  readonly #target: ModelTarget
  readonly #reservation: Reservation | undefined
  #isClosed = false

  constructor(response: ModelResponse, target: ModelTarget, reservation: Reservation | undefined) {
    this.#response = response
    this.#target = target
    this.#reservation = reservation
    this.model = target.model
  }

  /** The body, as it was sent. */
  async whole(): Promise<RawJson> {
    try {
      const raw = parseBody(await collect(this.#response), this.#target)
      this.#see(raw)
      return raw
    } finally {
      await this.close()
    }
  }

  async *chunks(): AsyncGenerator<{
    readonly raw: RawJson
    readonly chunk: Readonly<Record<string, unknown>>
  }> {
    try {
      for await (const text of readEventTexts(this.#response.bytes)) {
        if (text === '[DONE]') return
        const raw = parseBody(Buffer.from(text), this.#target)
        const chunk: unknown = JSON.parse(raw.text)
        if (!isObject(chunk)) throw new ModelError('the model provider sent a chunk that is no object')
        if (chunk['error'] !== undefined && chunk['error'] !== null)
          throw new ModelError(errorText(chunk) ?? 'the model provider failed')
        this.#see(raw)
        yield { raw, chunk }
      }
    } finally {
      await this.close()
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#reservation?.settle(this.usage)
  }

  #see(raw: RawJson): void {
    const usage = find(raw, 'usage')
    if (usage?.isObject === true) this.usage = usage
  }
}

function endpoint({ baseUrl }: ModelTarget, path: string): URL {
  return new URL(`${baseUrl.replace(/\/+$/, '')}/${path}`)
}

function timeoutMs(inputs: CompletionInputs): number {
  const seconds = inputs.number('timeout') ?? DEFAULT_TIMEOUT_SECONDS
  return Math.round(1_000 * Math.min(Math.max(seconds, 0.001), MAX_TIMEOUT_SECONDS))
}

/** Usage in the last chunk, unless the request says otherwise. */
function streamMembers(inputs: CompletionInputs): (readonly [string, unknown])[] {
  const given = inputs.get('stream_options')
  return [
    ['stream', true],
    ...(given === undefined ? [['stream_options', { include_usage: true }] as const] : []),
  ]
}

function completionTokens(inputs: CompletionInputs, { maxTokens }: ModelTarget) {
  const given = inputs.number('max_completion_tokens') ?? inputs.number('max_tokens')
  const choices = inputs.number('n') ?? 1
  if (!Number.isInteger(choices) || choices < 1 || choices > MAX_CHOICES)
    throw configurationError(`n must be a whole number from 1 to ${MAX_CHOICES}`)
  const each = given ?? maxTokens ?? DEFAULT_MAX_TOKENS
  if (!Number.isSafeInteger(each) || each < 1 || each > 10_000_000)
    throw configurationError('the limit of tokens must be a whole number from 1 to 10,000,000')
  return { each, total: each * choices, isGiven: given !== undefined }
}

/** No token is shorter than a byte. Only what the provider reads as an image, sound or file is not counted as text. */
function promptTokens(body: string): number {
  const { messages } = JSON.parse(body) as { messages?: unknown }
  let media = 0
  let mediaBytes = 0
  for (const message of Array.isArray(messages) ? messages : []) {
    const content: unknown = isObject(message) ? message['content'] : undefined
    for (const part of Array.isArray(content) ? content : []) {
      const data = mediaOf(part)
      if (data === undefined) continue
      media++
      mediaBytes += Buffer.byteLength(data)
    }
  }
  return Buffer.byteLength(body) - mediaBytes + media * MEDIA_TOKENS
}

function mediaOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined
  for (const [type, key] of MEDIA_PARTS) {
    const media = part['type'] === type ? part[type] : undefined
    const data = isObject(media) ? media[key] : undefined
    if (typeof data === 'string') return data
  }
  return undefined
}

const MEDIA_PARTS = [
  ['image_url', 'url'],
  ['input_audio', 'data'],
  ['file', 'file_data'],
] as const

async function collect({ bytes }: ModelResponse): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A provider that repeats the key must not bring it into a trace. */
function parseBody(body: Buffer, { secret }: ModelTarget): RawJson {
  const bytes =
    secret === undefined || !body.includes(secret)
      ? body
      : Buffer.from(body.toString('utf8').replaceAll(secret, REDACTED))
  try {
    return readJson(bytes, { kind: 'raw', nullable: false }) as RawJson
  } catch {
    throw new ModelError('the model provider sent a response that is no valid JSON')
  }
}

const MAX_ERROR_CHARACTERS = 2_000

/** Providers do not charge for requests that they answer with an error. */
async function statusError(response: ModelResponse, target: ModelTarget): Promise<ModelError> {
  const { status, retryAfter } = response
  let text: string | undefined
  try {
    const raw = parseBody(await collect(response), target)
    text = errorText(JSON.parse(raw.text)) ?? items(raw).map((each) => errorText(JSON.parse(each.text)))[0]
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
  }
  const wait =
    retryAfter === undefined || !/^\d{1,6}$/.test(retryAfter) ? '' : `; retry after ${retryAfter} s`
  const reason = text === undefined ? '' : `: ${text.slice(0, MAX_ERROR_CHARACTERS)}`
  return new ModelError(`the model provider responded with ${status}${reason}${wait}`, {
    status,
    isFree: true,
  })
}

/** `{error: {message}}` of OpenAI and Anthropic, `{error: "…"}` of others. */
function errorText(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const { error, message } = body
  const found = isObject(error) ? error['message'] : (error ?? message)
  return typeof found === 'string' ? found : undefined
}
