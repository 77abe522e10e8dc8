import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import { type FieldError, ApiError } from '../contract/api-error.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { readMultipart } from './multipart.ts'

export interface RawRequest {
  readonly body: Buffer
  readonly contentType: string
  /** Path parameters such as `{entity}`. They override fields of the body. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; used only by operations without a body. */
  readonly query: Readonly<Record<string, unknown>>
}

/** Parses and validates the requests of one operation by its schema in the contract. */
export class RequestParser {
  readonly #operation: Operation
  readonly #shape: Shape

  constructor(operation: Operation) {
    this.#operation = operation
    this.#shape = shapeOf(operation.request)
  }

  /** Only multipart forms are parsed asynchronously. */
  parse({ body, contentType, params, query }: RawRequest): unknown {
    // The Python SDK sends JSON without a Content-Type, so the header is not checked.
    if (this.#operation.body === 'json') return this.#validate(readJson(body, this.#shape), params)
    if (this.#operation.body === 'none') return this.#validate(query, params)
    return readMultipart(body, contentType).then((form) => this.#validate(form, params))
  }

  #validate(document: unknown, params: RawRequest['params']): unknown {
    if (typeof document !== 'object' || document === null || Array.isArray(document)) throw notAnObject()
    const result = this.#operation.request.safeParse({ ...document, ...params })
    if (!result.success) throw validationError(result.error)
    return result.data
  }
}

function notAnObject(): ApiError {
  return new ApiError('unprocessable', 'the body must be a JSON object', {
    detail: [{ loc: ['body'], msg: 'must be a JSON object', type: 'object_type' }],
  })
}

/** Bounds of `detail`: a batch may have 100,000 invalid items, and a key may be a megabyte long. */
const MAX_DETAILS = 20
const MAX_KEY_CHARACTERS = 200

function validationError(error: z.ZodError): ApiError {
  const detail: FieldError[] = error.issues.slice(0, MAX_DETAILS).map((issue) => ({
    loc: ['body', ...issue.path.map((part) => (typeof part === 'number' ? part : truncated(String(part))))],
    msg: issue.message,
    type: issue.code,
  }))
  const first = detail[0]
  return new ApiError(
    'unprocessable',
    `${first?.loc.slice(1).join('.') ?? 'body'}: ${first?.msg ?? 'invalid'}`,
    {
      detail,
    },
  )
}

function truncated(text: string): string {
  return text.length > MAX_KEY_CHARACTERS ? `${text.slice(0, MAX_KEY_CHARACTERS)}…` : text
}
