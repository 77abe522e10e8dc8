import type { Operation } from '../contract/operation.ts'
import { type ResponseOf, type InputOf, type OperationName, operations } from '../contract/operations.ts'
import { ApiError } from '../contract/api-error.ts'
import { ACCEPT_PARTIAL_HEADER, PARTIAL_HEADER, partialShards } from '../contract/partial.ts'
import type { RawJson } from '../contract/raw-json.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { readBytes } from './bytes.ts'
import { cutOffError } from './cut-off.ts'
import { encodeRequest } from './encode.ts'
import { readEvents } from './events.ts'
import { readLines } from './lines.ts'
import { readApiError } from './api-error.ts'

/**
 * Typed API client, derived from the contract. Payloads are passed as `RawJson`, byte for byte. Requests are not
 * retried: the caller knows whether that is safe.
 */
export interface Client {
  /** Throws the `ApiError` that the server returned, or `unavailable` if there was no response. */
  call<Name extends OperationName>(
    name: Name,
    request: InputOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>>
  /** Returns the JSON response as its original bytes. */
  document<Name extends OperationName>(name: Name, request: InputOf<Name>): Promise<RawJson>
}

export interface ClientOptions {
  /** Base URL of the server, with or without `/traces`. */
  readonly url: string
  /** Value of the authorization header, such as `Basic …`. */
  readonly authorization?: string
  /** `false` skips the validation of responses: servers of other versions may omit fields. */
  readonly validatesResponses?: boolean
  /**
   * Accepts responses without the shards of a cluster that are unavailable. Called with their numbers for each such
   * response, before its content is returned. Undefined: the request fails instead.
   */
  readonly onPartial?: (shards: readonly number[], name: OperationName) => void
}

export function createClient(options: ClientOptions): Client {
  const base = options.url.replace(/\/+$/, '')
  const { onPartial } = options
  const send = async (name: OperationName, request: object, signal?: AbortSignal): Promise<Response> => {
    const { path, ...init } = encodeRequest(operations[name] as unknown as Operation, request)
    const response = await fetch(base + path, {
      ...init,
      headers: {
        ...init.headers,
        ...(onPartial === undefined ? {} : { [ACCEPT_PARTIAL_HEADER]: 'true' }),
        ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
      },
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ApiError(
        'unavailable',
        `no response from ${base}; check the address and that the server is running`,
        { cause: error },
      )
    })
    if (!response.ok) throw await readApiError(response)
    const missing = partialShards(response.headers.get(PARTIAL_HEADER))
    if (missing.length > 0) onPartial?.(missing, name)
    return response
  }
  const call = async (name: OperationName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const operation = operations[name] as unknown as Operation
    const response = await send(name, request, signal)
    const read = (json: Buffer): unknown => {
      const document = readJson(json, responseShape(name, operation))
      return options.validatesResponses === false ? document : operation.response.parse(document)
    }
    switch (operation.responseFormat) {
      case 'bytes':
        return readBody(response)
      case 'stream':
        return { headers: Object.fromEntries(response.headers), bytes: readBytes(response) }
      case 'otlp':
        return { content_type: response.headers.get('content-type') ?? '', body: await readBody(response) }
      case 'jsonl':
        return readLines(response, read)
      case 'events':
        return readEvents(response, read)
      case 'json':
        return read(await readBody(response))
    }
  }
  return {
    call: call as Client['call'],
    document: async (name, request) => {
      const response = await send(name, request)
      return readJson(await readBody(response), RAW_DOCUMENT) as RawJson
    },
  }
}

const RAW_DOCUMENT: Shape = { kind: 'raw', nullable: false }

async function readBody(response: Response): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer())
  } catch (error) {
    throw cutOffError(error)
  }
}

const shapeCache = new Map<OperationName, Shape>()

function responseShape(name: OperationName, operation: Operation): Shape {
  const cached = shapeCache.get(name)
  if (cached !== undefined) return cached
  const shape = shapeOf(operation.response)
  shapeCache.set(name, shape)
  return shape
}
