import type { z } from 'zod'
import type { ErrorCode } from './api-error.ts'

/** The permission that a caller needs in every project of a request. */
export type Right = 'read' | 'write' | 'admin'

/**
 * Who may call: `public` needs no credentials, `user` any valid credentials, `server_admin` those of a server
 * administrator; a right is required in each project that `projects` returns for the request.
 */
type Access = 'public' | 'user' | 'server_admin' | Right

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Source of the request fields that are not in the path: a JSON body, a multipart form (files arrive as `Buffer`), a
 * request of OTLP (`otlp.ts`), or the query string if there is no body. `GET` and `DELETE` have no body by default.
 */
export type BodyKind = 'json' | 'multipart' | 'otlp' | 'none'

/**
 * Format of the response body: one JSON document, JSON lines, bytes, streamed bytes, server-sent events whose documents
 * have a `kind` and a `cursor`, or a response of OTLP in the encoding of its request.
 */
export type ResponseFormat = 'json' | 'jsonl' | 'bytes' | 'stream' | 'events' | 'otlp'

/** A streamed body with its headers. */
export interface StreamedBytes {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A complete body with its media type. */
export interface TypedBytes {
  readonly content_type: string
  readonly body: Buffer
}

/** What has become of an export of OpenTelemetry, for the log and the metrics. */
export interface ExportOutcome {
  /** Projects that spans were stored in although nobody named them. */
  readonly guesses: readonly string[]
  /** How many spans, log records or data points were not stored. */
  readonly discarded: number
}

export interface ExportResponse extends TypedBytes, ExportOutcome {}

export interface Operation<
  Request = unknown,
  Response = unknown,
  Kind extends ResponseFormat = ResponseFormat,
  /** The request as a caller writes it, before defaults and transforms. */
  Input = unknown,
> {
  readonly method: Method
  /** Segments in braces, such as `{entity}`, become fields of the request. */
  readonly path: string
  /** Other paths that SDKs use for the same operation. */
  readonly aliases: readonly string[]
  readonly tag: string
  readonly summary: string
  readonly access: Access
  readonly body: BodyKind
  readonly request: z.ZodType<Request, Input>
  readonly response: z.ZodType<Response>
  readonly responseFormat: Kind
  /** Every project the request reads or writes. All are authorized before the handler runs. */
  readonly projects: (request: Request) => readonly string[]
  /** The project of each call record that the request stores. Only such requests count against quotas. */
  readonly calls: ((request: Request) => readonly string[]) | undefined
  /** Whether the request deletes or removes something: then no unknown key is ignored (unknown-keys.ts). */
  readonly deletes: boolean
  /** Whether the objects in the request are records that SDKs send: they may have keys that are not known yet. */
  readonly storesRecords: boolean
  /** Whether the response sets or clears the session cookie, or the request has a password to verify. */
  readonly session: 'create' | 'delete' | 'verify' | undefined
  /** Media types of a stream; it has one of them. */
  readonly contentTypes: readonly string[]
  /** Errors of this operation beyond those that every operation of its kind may return. */
  readonly errors: readonly ErrorCode[]
}

interface OperationInput<
  RequestSchema extends z.ZodType,
  ResponseSchema extends z.ZodType,
  Kind extends ResponseFormat,
> {
  method?: Method
  path: string
  aliases?: readonly string[]
  summary: string
  access: Access
  body?: BodyKind
  request: RequestSchema
  response: ResponseSchema
  responseFormat?: Kind
  projects?: (request: z.output<RequestSchema>) => readonly string[]
  calls?: (request: z.output<RequestSchema>) => readonly string[]
  deletes?: boolean
  storesRecords?: boolean
  session?: 'create' | 'delete' | 'verify'
  contentTypes?: readonly string[]
  errors?: readonly ErrorCode[]
}

export function operation<
  RequestSchema extends z.ZodType,
  ResponseSchema extends z.ZodType,
  Kind extends ResponseFormat = 'json',
>(
  input: OperationInput<RequestSchema, ResponseSchema, Kind>,
): Operation<z.output<RequestSchema>, z.output<ResponseSchema>, Kind, z.input<RequestSchema>> {
  return {
    method: input.method ?? 'POST',
    path: input.path,
    aliases: input.aliases ?? [],
    tag: pathTag(input.path),
    summary: input.summary,
    access: input.access,
    body: input.body ?? (input.method === 'GET' || input.method === 'DELETE' ? 'none' : 'json'),
    // zod's variance markers forbid the direct assignment; the types are the schemas' outputs.
    request: input.request as unknown as z.ZodType<z.output<RequestSchema>, z.input<RequestSchema>>,
    response: input.response as unknown as z.ZodType<z.output<ResponseSchema>>,
    responseFormat: (input.responseFormat ?? 'json') as Kind,
    projects: input.projects ?? requestProjectId,
    calls: input.calls,
    deletes: input.deletes ?? input.method === 'DELETE',
    storesRecords: input.storesRecords ?? input.calls !== undefined,
    session: input.session,
    contentTypes: input.contentTypes ?? ['application/octet-stream'],
    errors: input.errors ?? [],
  }
}

function requestProjectId(request: unknown): readonly string[] {
  return [(request as { project_id: string }).project_id]
}

/** Heddle's own operations, not part of Weave's API. They are served at `/` only. */
export function isHeddleApi(operation: Pick<Operation, 'path'>): boolean {
  return operation.path.startsWith('/api/')
}

const UNTAGGED_SEGMENTS: ReadonlySet<string> = new Set(['', 'v2', 'api', 'v1', 'projects'])

function pathTag(path: string): string {
  const segment = path.split('/').find((part) => !UNTAGGED_SEGMENTS.has(part) && !part.startsWith('{'))
  return segment ?? (path.startsWith('/api/v1/projects') ? 'projects' : 'service')
}
