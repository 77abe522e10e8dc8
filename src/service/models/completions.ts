import { ApiError, unprocessable } from '../../contract/api-error.ts'
import type { CompletionRequest } from '../../contract/models/completions.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { BatchedStream, inBatches } from '../../core/concurrency/batched-stream.ts'
import { ConcurrencyLimiter } from '../../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import { isObject } from '../../core/json/is-object.ts'
import { ChunkMerge } from '../../core/models/chunk-merge.ts'
import { CompletionInputs } from '../../core/models/completion-request.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { Budgets } from './budget.ts'
import { ChatRequests, type RunningChat } from './chat-request.ts'
import { ModelCall } from './model-calls.ts'
import { ModelError } from './model-connection.ts'
import { ModelProviders } from './model-provider.ts'

/** Handlers that send requests to models and record them as calls, as Weave's playground does. */

type Operation = 'completions_create' | 'completions_create_stream'

const OP_NAME = 'weave.completions_create'

/** Requests that run in this process. Each may hold a response in memory. */
const LIMITS = {
  maxConcurrent: 64,
  maxPerUser: 16,
  maxPerProject: 32,
  maxWaitingPerUser: 256,
  waitMs: 30_000,
}

export function completionsHandlers(
  deps: Deps,
  objects: Pick<Handlers, 'obj_read'>,
): Pick<Handlers, Operation> {
  const chats = new ChatRequests(deps, new ModelProviders(deps, objects), new Budgets(deps), objects)
  const limiter = new ConcurrencyLimiter(
    LIMITS,
    () => new ApiError('rate_limited', 'too many requests to models are running', { retryAfterSeconds: 5 }),
  )
  const begin = (request: CompletionRequest, caller: Caller) => {
    const inputs = readInputs(request)
    const call = request.track_llm_call === false ? undefined : new ModelCall(deps, request, OP_NAME)
    const signal = currentRequest()?.disconnected?.()
    const owner = { user_id: caller.user_id, project_id: request.project_id }
    return { inputs, call, signal, acquire: () => limiter.acquire(owner, signal) }
  }

  return {
    completions_create: async (request, caller) => {
      const { inputs, call, signal, acquire } = begin(request, caller)
      const release = await acquire()
      try {
        let chat: RunningChat | undefined
        let output: RawJson
        let error: ModelError | undefined
        try {
          chat = await chats.start(request.project_id, inputs, caller, { isStream: false, signal })
          output = await chat.whole()
        } catch (failure) {
          error = modelError(failure)
          output = errorDocument(error)
        }
        const { usage, model = inputs.text('model') ?? '' } = chat ?? {}
        await call?.store(inputs, { output, usage, model, error: error?.message }, caller)
        return { response: output, ...call?.identity }
      } finally {
        release()
      }
    },

    completions_create_stream: async (request, caller) => {
      const begun = begin(request, caller)
      return new BatchedStream(inBatches(streamChat(request, caller, chats, begun), 1), { isLive: true })
    },
  }
}

interface Begun {
  readonly inputs: CompletionInputs
  readonly call: ModelCall | undefined
  readonly signal: AbortSignal | undefined
  readonly acquire: () => Promise<() => void>
}

async function* streamChat(
  { project_id }: CompletionRequest,
  caller: Caller,
  chats: ChatRequests,
  { inputs, call, signal, acquire }: Begun,
): AsyncGenerator<RawJson> {
  const release = await acquire()
  const merge = new ChunkMerge()
  let chat: RunningChat | undefined
  let error: ModelError | undefined
  let isStored = false
  const store = async (): Promise<void> => {
    if (isStored) return
    isStored = true
    const completion = merge.completion()
    const output =
      completion === undefined && error !== undefined
        ? errorDocument(error)
        : RawJson.fromValue(completion ?? null)
    const { usage, model = inputs.text('model') ?? '' } = chat ?? {}
    await call?.store(inputs, { output, usage, model, error: error?.message }, caller)
  }
  try {
    if (call !== undefined) yield RawJson.fromValue({ _meta: call.identity })
    try {
      chat = await chats.start(project_id, inputs, caller, { isStream: true, signal })
      for await (const { raw, chunk } of chat.chunks()) {
        merge.add(chunk)
        yield raw
      }
      if (!merge.isFinished)
        error = new ModelError('the model provider ended the response before it was complete')
    } catch (failure) {
      error = modelError(failure)
    }
    await store()
    if (error !== undefined) yield errorDocument(error)
  } finally {
    release()
    // The client left between two chunks.
    if (!isStored) error ??= new ModelError('the request was cancelled', { status: 499 })
    await chat?.close()
    await store()
  }
}

/** Errors of the caller and of the provider are the result of the request; ours are not. */
function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof ApiError && error.status < 500)
    return new ModelError(error.message, { status: error.status, isFree: true })
  throw error
}

function errorDocument({ message, status }: ModelError): RawJson {
  return RawJson.fromValue({ error: message, error_status_code: status })
}

function readInputs({ inputs }: CompletionRequest): CompletionInputs {
  const read = new CompletionInputs(inputs)
  const name = read.text('model')
  if (name === undefined || name === '' || name.length > 512)
    throw unprocessable(
      ['inputs', 'model'],
      'must be the name of a model',
      name === undefined ? 'missing' : 'value_error',
    )
  const messages: unknown = JSON.parse(read.get('messages')?.text ?? '[]')
  if (!Array.isArray(messages) || !messages.every((each) => isObject(each)))
    throw unprocessable(['inputs', 'messages'], 'must be a list of objects')
  return read
}
