import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import { type FieldError, ApiError } from '../contract/api-error.ts'
import { readJson } from '../core/json/read.ts'
import { type Shape, shapeOf } from '../core/json/shape.ts'
import { readMultipart } from './multipart.ts'

export interface Incoming {
  readonly body: Buffer
  readonly contentType: string
  /** `{entity}` and the like of the path. They win over fields of the body. */
  readonly params: Readonly<Record<string, string>>
  /** What stands behind `?`; looked at only where there is no body. */
  readonly query: Readonly<Record<string, unknown>>
}

/** A request's bytes into the request the contract describes. */
export class RequestReader {
  readonly #operation: Operation
  readonly #shape: Shape

  constructor(operation: Operation) {
    this.#operation = operation
    this.#shape = shapeOf(operation.request)
  }

  async read(incoming: Incoming): Promise<unknown> {
    const document = await this.#document(incoming)
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      throw new ApiError('unprocessable', 'the body must be a JSON object', {
        detail: [{ loc: ['body'], msg: 'must be a JSON object', type: 'object_type' }],
      })
    }
    const result = this.#operation.request.safeParse({ ...document, ...incoming.params })
    if (!result.success) throw invalid(result.error)
    return result.data
  }

  async #document(incoming: Incoming): Promise<unknown> {
    if (this.#operation.body === 'multipart') return readMultipart(incoming.body, incoming.contentType)
    if (this.#operation.body === 'none') return incoming.query
    // The Python SDK sends JSON without a content type, so the header is not asked.
    return readJson(incoming.body, this.#shape)
  }
}

/** A batch of 100,000 wrong items need not be told 100,000 times, nor a key of a megabyte in full. */
const MAX_DETAILS = 20
const MAX_KEY_CHARACTERS = 200

function invalid(error: z.ZodError): ApiError {
  const detail: FieldError[] = error.issues.slice(0, MAX_DETAILS).map((issue) => ({
    loc: ['body', ...issue.path.map((part) => (typeof part === 'number' ? part : shortened(String(part))))],
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

function shortened(text: string): string {
  return text.length > MAX_KEY_CHARACTERS ? `${text.slice(0, MAX_KEY_CHARACTERS)}…` : text
}
