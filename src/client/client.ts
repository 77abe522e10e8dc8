import type { Operation } from '../contract/operation.ts'
import { type ResponseOf, type InputOf, type OperationName, operations } from '../contract/operations.ts'
import { ApiError } from '../contract/api-error.ts'
import type { RawJson } from '../contract/raw-json.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { encodeRequest } from './encode.ts'
import { readBytes } from './bytes.ts'
import { readEvents } from './events.ts'
import { readLines } from './lines.ts'
import { problemOf } from './api-error.ts'

/**
 * A typed caller of the API, derived from the contract's table. Payloads go in and come out as `RawJson`, byte for
 * byte. Nothing is tried again: whoever calls knows whether that is safe.
 */
export interface Client {
  /** Throws the `Problem` that the server answered, or `unavailable` if it did not. */
  call<Name extends OperationName>(
    name: Name,
    request: InputOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>>
  /** The whole JSON answer as its bytes, for readers that must change nothing in it. */
  document<Name extends OperationName>(name: Name, request: InputOf<Name>): Promise<RawJson>
}

export interface ClientOptions {
  /** Where the server answers, with or without `/traces`. */
  readonly url: string
  /** The whole header, such as `Basic …`. */
  readonly authorization?: string
  /** Servers of other versions may leave fields out of their answers: `false` takes them as they come. */
  readonly checksAnswers?: boolean
}

export function createClient(options: ClientOptions): Client {
  const base = options.url.replace(/\/+$/, '')
  const send = async (operation: Operation, request: object, signal?: AbortSignal): Promise<Response> => {
    const { path, ...init } = encodeRequest(operation, request)
    const response = await fetch(base + path, {
      ...init,
      headers: {
        ...init.headers,
        ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
      },
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ApiError('unavailable', `there is no answer from ${base}`, { cause: error })
    })
    if (!response.ok) throw await problemOf(response)
    return response
  }
  const call = async (name: OperationName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const operation = operations[name] as unknown as Operation
    const response = await send(operation, request, signal)
    const read = (json: Buffer): unknown => {
      const answer = readJson(json, answerShape(name, operation))
      return options.checksAnswers === false ? answer : operation.response.parse(answer)
    }
    switch (operation.responseFormat) {
      case 'bytes':
        return bodyOf(response)
      case 'stream':
        return { headers: Object.fromEntries(response.headers), bytes: readBytes(response) }
      case 'jsonl':
        return readLines(response, read)
      case 'events':
        return readEvents(response, read)
      case 'json':
        return read(await bodyOf(response))
    }
  }
  return {
    call: call as Client['call'],
    document: async (name, request) => {
      const response = await send(operations[name] as unknown as Operation, request)
      return readJson(await bodyOf(response), ANY) as RawJson
    },
  }
}

const ANY: Shape = { kind: 'raw', nullable: false }

async function bodyOf(response: Response): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer())
  } catch (error) {
    throw new ApiError('unavailable', 'the answer was cut off', { cause: error })
  }
}

const shapes = new Map<OperationName, Shape>()

function answerShape(name: OperationName, operation: Operation): Shape {
  const known = shapes.get(name)
  if (known !== undefined) return known
  const shape = shapeOf(operation.response)
  shapes.set(name, shape)
  return shape
}
