import type { Operation } from '../contract/operation.ts'
import { type AnswerOf, type InputOf, type OperationName, operations } from '../contract/operations.ts'
import { Problem } from '../contract/problem.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { encodeRequest } from './encode.ts'
import { readLines } from './lines.ts'
import { problemOf } from './problem.ts'

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
  ): Promise<AnswerOf<Name>>
}

export interface ClientOptions {
  /** Where the server answers, with or without `/traces`. */
  readonly url: string
  /** The whole header, such as `Basic …`. */
  readonly authorization?: string
}

export function createClient(options: ClientOptions): Client {
  const base = options.url.replace(/\/+$/, '')
  const call = async (name: OperationName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const operation = operations[name] as unknown as Operation
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
      throw new Problem('unavailable', `there is no answer from ${base}`, { cause: error })
    })
    if (!response.ok) throw await problemOf(response)
    return answerOf(name, operation, response)
  }
  return { call: call as Client['call'] }
}

async function answerOf(name: OperationName, operation: Operation, response: Response): Promise<unknown> {
  switch (operation.answer) {
    case 'bytes':
      return Buffer.from(await response.arrayBuffer())
    case 'jsonl':
      return readLines(response, (line) =>
        operation.response.parse(readJson(line, answerShape(name, operation))),
      )
    case 'json':
      return operation.response.parse(
        readJson(Buffer.from(await response.arrayBuffer()), answerShape(name, operation)),
      )
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
