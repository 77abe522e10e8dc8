import type { z } from 'zod'

/** What a caller must be allowed to do in every project that a request touches. */
export type Right = 'read' | 'write' | 'admin'

/**
 * Who may call: `public` needs no credentials, `user` any valid ones, a right names what is needed in each
 * project that `projects` finds in the request.
 */
type Access = 'public' | 'user' | Right

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Where the fields come from that are not in the path: a JSON document, a form (files arrive as `Buffer`), or, where
 * there is no body, from behind the `?`. `GET` and `DELETE` have none unless the table says so.
 */
type BodyKind = 'json' | 'multipart' | 'none'

/**
 * How the answer travels: one JSON document, a JSON document per line, plain bytes, bytes as they are made, or
 * documents with a `kind` and a `cursor` as server-sent events.
 */
export type ResponseFormat = 'json' | 'jsonl' | 'bytes' | 'stream' | 'events'

/** Bytes as they are made, with the headers that say what they are. */
export interface StreamedBytes {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface Operation<
  Request = unknown,
  Response = unknown,
  Kind extends ResponseFormat = ResponseFormat,
  /** The request before defaults and transforms, as a caller writes it. */
  Input = unknown,
> {
  readonly method: Method
  /** `{entity}` and other segments in braces become fields of the request. */
  readonly path: string
  /** Other spellings that SDKs use for the same operation. */
  readonly aliases: readonly string[]
  readonly tag: string
  readonly summary: string
  readonly access: Access
  readonly body: BodyKind
  readonly request: z.ZodType<Request, Input>
  readonly response: z.ZodType<Response>
  readonly responseFormat: Kind
  /** Every project the request reads or writes. All of them are checked before anything is done. */
  readonly projects: (request: Request) => readonly string[]
  /** The project of each record of a call that the request stores. Only such requests count against quotas. */
  readonly calls: ((request: Request) => readonly string[]) | undefined
  /** Where the cookie of a browser is set, and where it is taken away. */
  readonly session: 'begins' | 'ends' | undefined
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
  session?: 'begins' | 'ends'
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
    tag: nounOf(input.path),
    summary: input.summary,
    access: input.access,
    body: input.body ?? (input.method === 'GET' || input.method === 'DELETE' ? 'none' : 'json'),
    // zod's own variance markers stop the direct assignment; the types are the schemas' outputs.
    request: input.request as unknown as z.ZodType<z.output<RequestSchema>, z.input<RequestSchema>>,
    response: input.response as unknown as z.ZodType<z.output<ResponseSchema>>,
    responseFormat: (input.responseFormat ?? 'json') as Kind,
    projects: input.projects ?? projectIdOf,
    calls: input.calls,
    session: input.session,
  }
}

function projectIdOf(request: unknown): readonly string[] {
  return [(request as { project_id: string }).project_id]
}

/** Our own operations, beside the protocol: they are served at `/` only. */
export function isHeddleApi(operation: Pick<Operation, 'path'>): boolean {
  return operation.path.startsWith('/api/')
}

const NO_NOUN: ReadonlySet<string> = new Set(['', 'v2', 'api', 'v1', 'projects'])

function nounOf(path: string): string {
  const segment = path.split('/').find((part) => !NO_NOUN.has(part) && !part.startsWith('{'))
  return segment ?? (path.endsWith('/projects') ? 'projects' : 'service')
}
