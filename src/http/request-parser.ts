import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../contract/operation.ts'
import { type ApiError, invalidFields } from '../contract/api-error.ts'
import { unknownKeyRule } from '../contract/unknown-keys.ts'
import { readJson } from '../core/json/read.ts'
import { type ObjectShape, shapeOf } from '../core/json/shape.ts'
import { UnknownKeys } from '../core/json/unknown-keys.ts'
import { readMultipart } from './multipart.ts'
import { otlpContentType, projectHeader } from './otlp-request.ts'
import { validationError } from './validation-error.ts'

export interface RawRequest {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
  /** Path parameters such as `{entity}`. They override fields of the body. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; only operations without a body use them. */
  readonly query: Readonly<Record<string, unknown>>
  /** If an array has more items, parsing stops with `LargeWork`. */
  readonly maxItems?: number | undefined
}

export interface ParsedRequest {
  readonly input: unknown
  /** Dotted paths of the keys that the schema does not have, and that had no effect. */
  readonly ignoredFields: readonly string[]
}

/** Parses and validates the requests of one operation by its schema in the contract. */
export class RequestParser {
  readonly #operation: Operation
  readonly #shape: ObjectShape

  constructor(operation: Operation) {
    this.#operation = operation
    const shape = shapeOf(operation.request, unknownKeyRule(operation))
    if (shape.kind !== 'object') throw new Error(`the request of ${operation.path} is not an object`)
    this.#shape = shape
  }

  /** Only multipart forms are parsed asynchronously. */
  parse(request: RawRequest): ParsedRequest | Promise<ParsedRequest> {
    const { body, headers, query, maxItems } = request
    const unknown = new UnknownKeys()
    if (this.#operation.body !== 'none') this.#checkQuery(query, unknown)
    // The Python SDK sends JSON without a Content-Type, so the header is not checked.
    if (this.#operation.body === 'json')
      return this.#validate(readJson(body, this.#shape, maxItems, unknown), request, unknown)
    if (this.#operation.body === 'multipart')
      return readMultipart(body, headers['content-type'] ?? '').then((form) => {
        unknown.addKeysOf(form, this.#shape)
        return this.#validate(form, request, unknown)
      })
    if (this.#operation.body === 'otlp') {
      const content_type = otlpContentType(headers)
      return this.#validate({ body, content_type, project_id: projectHeader(headers) }, request, unknown)
    }
    if (this.#operation.deletes && body.length > 0) rejectBody(body)
    unknown.addKeysOf(query, this.#shape)
    return this.#validate(query, request, unknown)
  }

  /** Parameters in the URL of a request with a body. */
  #checkQuery(query: RawRequest['query'], unknown: UnknownKeys): void {
    for (const name in query)
      if (this.#operation.deletes) unknown.refuse([name], 'is in the query string; send it in the body')
      else unknown.report([name])
  }

  #validate(document: unknown, { params }: RawRequest, unknown: UnknownKeys): ParsedRequest {
    if (typeof document !== 'object' || document === null || Array.isArray(document)) throw notAnObject()
    for (const name in params)
      if (differs((document as Record<string, unknown>)[name], params[name])) {
        if (this.#operation.deletes) unknown.refuse([name], 'is not what the path of the request says')
        else unknown.report([name])
      }
    unknown.check()
    const input = { ...document, ...params }
    const result = this.#operation.request.safeParse(input)
    if (!result.success) throw validationError(result.error, input)
    return { input: result.data, ignoredFields: unknown.reported }
  }
}

/** A field of the body that is in the path too: the path decides. */
function differs(sent: unknown, inPath: string | undefined): boolean {
  return sent !== undefined && sent !== null && sent !== inPath
}

/** The fields of a deletion without a body are in its URL. Clients send `{}` where they have nothing to send. */
function rejectBody(body: Buffer): void {
  if (/^\s*(?:\{\s*\}|null)?\s*$/.test(body.toString('latin1', 0, 1024))) return
  throw invalidFields([
    {
      loc: [],
      msg: 'this request has no body; send its fields in the query string',
      type: 'extra_forbidden',
    },
  ])
}

function notAnObject(): ApiError {
  return invalidFields([{ loc: [], msg: 'the body must be a JSON object', type: 'invalid_type' }])
}
