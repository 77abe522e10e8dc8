import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../contract/operation.ts'
import { type ApiError, invalidFields } from '../contract/api-error.ts'
import { type Acceptor, acceptorOf } from '../core/json/acceptor.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { readMultipart } from './multipart.ts'
import { otlpContentType, projectHeader } from './otlp-request.ts'
import { validationError } from './validation-error.ts'

export interface RawRequest {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
  /** Path parameters such as `{entity}`. They override fields of the body. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; used only by operations without a body. */
  readonly query: Readonly<Record<string, unknown>>
  /** If an array has more items, parsing stops with `LargeWork`. */
  readonly maxItems?: number | undefined
}

/** Parses and validates the requests of one operation by its schema in the contract. */
export class RequestParser {
  readonly #operation: Operation
  readonly #shape: Shape
  readonly #accepts: Acceptor | undefined

  constructor(operation: Operation) {
    this.#operation = operation
    this.#shape = shapeOf(operation.request)
    this.#accepts = acceptorOf(operation.request)
  }

  /** Only multipart forms are parsed asynchronously. */
  parse({ body, headers, params, query, maxItems }: RawRequest): unknown {
    // The Python SDK sends JSON without a Content-Type, so the header is not checked.
    if (this.#operation.body === 'json') return this.#validate(readJson(body, this.#shape, maxItems), params)
    if (this.#operation.body === 'none') return this.#validate(query, params)
    if (this.#operation.body === 'otlp')
      return this.#validate(
        { body, content_type: otlpContentType(headers), project_id: projectHeader(headers) },
        params,
      )
    return readMultipart(body, headers['content-type'] ?? '').then((form) => this.#validate(form, params))
  }

  #validate(document: unknown, params: RawRequest['params']): unknown {
    if (typeof document !== 'object' || document === null || Array.isArray(document)) throw notAnObject()
    const input = { ...document, ...params }
    if (this.#accepts?.(input) === true) return input
    const result = this.#operation.request.safeParse(input)
    if (!result.success) throw validationError(result.error, input)
    return result.data
  }
}

function notAnObject(): ApiError {
  return invalidFields([{ loc: [], msg: 'the body must be a JSON object', type: 'invalid_type' }])
}
