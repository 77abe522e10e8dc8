import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { graphqlOperation } from '../contract/graphql.ts'
import { isHeddleApi, type Method, type Operation } from '../contract/operation.ts'
import { operationNames, operations } from '../contract/operations.ts'
import { newSessionToken } from '../core/access/credentials.ts'
import type { Access } from '../service/access/access.ts'
import type { Caller } from '../service/deps.ts'
import type { GraphqlHandler } from '../service/graphql.ts'
import type { Handlers } from '../service/handler.ts'
import type { Quotas } from '../service/access/quotas.ts'
import { answer } from './responses.ts'
import { announce, readBody } from './body.ts'
import { decodeBody } from './encoding.ts'
import { eventQuery, sendEvents, type StreamEvent } from './event-stream.ts'
import { requestContext } from './request-context.ts'
import { readInScope } from './read-scope.ts'
import { addOtherMethods, addRefusals, urlOf } from './refusals.ts'
import { RequestReader } from './request-reader.ts'
import { neverStore, refuseOtherPages, setCookie, tokenFor } from './session-cookie.ts'
import { EventLoopYielder } from './event-loop-yield.ts'

export interface RouteOptions {
  readonly handlers: Handlers
  readonly graphql: GraphqlHandler
  readonly access: Access
  readonly bodyLimitBytes: number
  readonly quotas: Quotas
}

const NOBODY: Caller = { user_id: '', username: '' }

/** The trace API answers at `/` and, where SDKs look for it by themselves, under `/traces`. */
const PREFIXES = ['', '/traces'] as const

/** One route for each spelling of each operation in the contract's table, and the one beside it. */
export function addOperations(server: FastifyInstance, options: RouteOptions): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) =>
    readBody(
      payload,
      request.headers['content-length'],
      options.bodyLimitBytes,
      requestContext(request).share,
    ),
  )
  for (const name of operationNames()) {
    const operation = operations[name] as unknown as Operation
    const prefixes = isHeddleApi(operation) ? [''] : PREFIXES
    addOperation(server, { name, operation, handler: options.handlers[name] as Handler }, prefixes, options)
  }
  addRefusals(server, PREFIXES)
  for (const [path, methods] of ownPaths()) addOtherMethods(server, path, ...methods)
  const operation = graphqlOperation as unknown as Operation
  addOperation(server, { name: 'graphql', operation, handler: options.graphql as Handler }, [''], options)
  addOtherMethods(server, operation.path, operation.method)
}

function ownPaths(): Map<string, Method[]> {
  const paths = new Map<string, Method[]>()
  for (const { path, method } of Object.values(operations).filter(isHeddleApi))
    paths.set(path, [...(paths.get(path) ?? []), method])
  return paths
}

/** One for the whole process: it has one thread. */
const turns = new EventLoopYielder()

type Handler = (request: unknown, caller: Caller, signal?: AbortSignal) => Promise<unknown>

interface Served {
  readonly name: string
  readonly operation: Operation
  readonly handler: Handler
}

function addOperation(
  server: FastifyInstance,
  { name, operation, handler }: Served,
  prefixes: readonly string[],
  options: RouteOptions,
): void {
  const reader = new RequestReader(operation)
  /** Before any of the body is read: who it is, and whether there is room for it. */
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const exchange = requestContext(request)
    exchange.operation = name
    // JSON comes under any content type, or a malformed one, or none: clients have sent them all.
    if (operation.body !== 'multipart') delete request.raw.headers['content-type']
    if (operation.session === 'begins') refuseOtherPages(request)
    if (operation.session !== undefined || tokenFor(request) !== undefined) neverStore(reply)
    exchange.caller = await identify(operation, request, options.access)
    if (operation.calls !== undefined)
      await options.quotas.admitBytes(exchange.caller, Number(request.headers['content-length'] ?? 0))
    if (operation.body !== 'none' || request.headers['content-length'] !== undefined) {
      const { user_id, key_id = user_id } = exchange.caller
      await announce(request.headers['content-length'], options.bodyLimitBytes, exchange.share, key_id)
    }
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const exchange = requestContext(request)
    const caller = exchange.caller ?? NOBODY
    const body = await decoded(request, options.bodyLimitBytes)
    await turns.take(body.length)
    const document = await reader.read({
      body,
      contentType: request.headers['content-type'] ?? '',
      params: request.params as Record<string, string>,
      query:
        operation.responseFormat === 'events'
          ? eventQuery(request)
          : (request.query as Record<string, unknown>),
    })
    await permit(operation, document, caller, options.access)
    if (operation.calls !== undefined) {
      options.quotas.admit(caller, {
        project_ids: operation.calls(document),
        bytes: body.length,
        countedBytes: Number(request.headers['content-length'] ?? 0),
      })
    }
    const mayGoOn = async (): Promise<void> => {
      await permit(operation, document, await identify(operation, request, options.access), options.access)
    }
    const [project_id] = operation.access === 'read' ? operation.projects(document) : []
    if (operation.access === 'read' && operation.responseFormat !== 'events') {
      const lasts = operation.responseFormat === 'jsonl' || operation.responseFormat === 'stream'
      const read = { project_id, mayGoOn: lasts ? mayGoOn : undefined }
      return readInScope(request, reply, read, async (signal) =>
        answer(operation, await handler(document, caller, signal), reply),
      )
    }
    const result = await handler(document, caller)
    if (operation.session !== undefined) setCookie(operation.session, caller, request, reply)
    if (operation.responseFormat !== 'events') return answer(operation, result, reply)
    exchange.isStream = true
    return sendEvents(reply, result as AsyncIterator<StreamEvent>, mayGoOn)
  }
  for (const prefix of prefixes) {
    for (const path of [operation.path, ...operation.aliases]) {
      server.route({ method: operation.method, url: prefix + urlOf(path), onRequest, handler: handle })
    }
  }
}

async function decoded(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const exchange = requestContext(request)
  const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = await decodeBody(sent, request.headers['content-encoding'], limitBytes, exchange.share)
  exchange.bodyBytes = body.length
  return body
}

/** The one place where credentials are read. */
async function identify(operation: Operation, request: FastifyRequest, access: Access): Promise<Caller> {
  if (operation.session === 'begins') return { ...NOBODY, session_token: newSessionToken() }
  if (operation.access === 'public') return NOBODY
  const token = tokenFor(request)
  if (token !== undefined) return access.resume(token)
  const caller = await access.authenticate(request.headers.authorization)
  return isStrict(request) ? { ...caller, isStrict: true } : caller
}

/** Python SDKs up to 0.52.43: they mark their requests for retries and do not yet say what they understand. */
function isStrict({ headers }: FastifyRequest): boolean {
  return headers['x-weave-retry-id'] !== undefined && headers['x-weave-client-capabilities'] === undefined
}

/** The one place where rights are checked: for every project of the request, before anything is done. */
async function permit(
  operation: Operation,
  document: unknown,
  caller: Caller,
  access: Access,
): Promise<void> {
  if (operation.access === 'public' || operation.access === 'user') return
  await access.authorize(caller, operation.access, [...new Set(operation.projects(document))])
}
