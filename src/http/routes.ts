import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { type OperationName, operationNames, operations } from '../contract/operations.ts'
import { Problem } from '../contract/problem.ts'
import type { Access } from '../service/access.ts'
import type { Caller } from '../service/deps.ts'
import type { Handlers } from '../service/handler.ts'
import { answer } from './answers.ts'
import { announce, readBody } from './body.ts'
import { decodeBody } from './encoding.ts'
import { exchangeOf } from './exchange.ts'
import { RequestReader } from './requests.ts'

export interface RouteOptions {
  readonly handlers: Handlers
  readonly access: Access
  readonly bodyLimitBytes: number
}

const NOBODY: Caller = { user_id: '', username: '' }

/** The trace API answers at `/` and, where SDKs look for it by themselves, under `/traces`. */
const PREFIXES = ['', '/traces'] as const

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** One route for each spelling of each operation in the contract's table. */
export function addOperations(server: FastifyInstance, options: RouteOptions): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) =>
    readBody(payload, request.headers['content-length'], options.bodyLimitBytes, exchangeOf(request).share),
  )
  for (const name of operationNames()) addOperation(server, name, options)
}

function addOperation(server: FastifyInstance, name: OperationName, options: RouteOptions): void {
  const operation = operations[name] as unknown as Operation
  const reader = new RequestReader(operation)
  const handler = options.handlers[name] as (request: unknown, caller: Caller) => Promise<unknown>
  /** Before any of the body is read: who it is, and whether there is room for it. */
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const exchange = exchangeOf(request)
    exchange.operation = name
    // JSON comes under any content type, or a malformed one, or none: clients have sent them all.
    if (operation.body === 'json') delete request.raw.headers['content-type']
    exchange.caller = await identify(operation, request, options.access)
    announce(request.headers['content-length'], options.bodyLimitBytes, exchange.share)
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const exchange = exchangeOf(request)
    const caller = exchange.caller ?? NOBODY
    const body = await decoded(request, options.bodyLimitBytes)
    const document = await reader.read({
      body,
      contentType: request.headers['content-type'] ?? '',
      params: request.params as Record<string, string>,
      query: request.query as Record<string, unknown>,
    })
    await permit(operation, document, caller, options.access)
    return answer(operation, await handler(document, caller), reply)
  }
  for (const prefix of PREFIXES) {
    for (const path of [operation.path, ...operation.aliases]) {
      const url = prefix + path.replace(/\{(\w+)\}/g, ':$1')
      server.route({ method: operation.method, url, onRequest, handler: handle })
      addOtherMethods(server, operation.method, url)
    }
  }
}

async function decoded(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const exchange = exchangeOf(request)
  const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = await decodeBody(sent, request.headers['content-encoding'], limitBytes)
  if (body !== sent) exchange.share.take(body.length)
  exchange.bodyBytes = body.length
  return body
}

/** The one place where credentials are read. */
async function identify(operation: Operation, request: FastifyRequest, access: Access): Promise<Caller> {
  if (operation.access === 'public') return NOBODY
  return access.authenticate(request.headers.authorization)
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

/** Marks routes that only say no, so that they do not count as served. */
const REFUSAL: object = { isRefusal: true }

export function isRefusal(route: { config?: object }): boolean {
  return route.config !== undefined && 'isRefusal' in route.config
}

/** A known path with another method: what it does take. */
export function addOtherMethods(server: FastifyInstance, method: 'GET' | 'POST', url: string): void {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'
  server.route({
    method: METHODS.filter((other) => other !== method),
    url,
    config: REFUSAL,
    onRequest: async (request, reply) => {
      reply.header('allow', allow)
      if (request.method === 'OPTIONS') return reply.code(204).send()
      throw new Problem('method_not_allowed', `${request.method} is not served here; use ${method}`)
    },
    handler: async () => {},
  })
}
