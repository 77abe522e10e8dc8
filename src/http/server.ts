import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Operation } from '../contract/operation.ts'
import { type OperationName, operationNames, operations } from '../contract/operations.ts'
import { Problem } from '../contract/problem.ts'
import type { Access } from '../service/access.ts'
import type { Caller } from '../service/deps.ts'
import type { Handlers } from '../service/handler.ts'
import { answer } from './answers.ts'
import { decodeBody } from './encoding.ts'
import { answerProblem, asProblem } from './problems.ts'
import { RequestReader } from './requests.ts'

export interface HttpOptions {
  readonly handlers: Handlers
  readonly access: Access
  readonly log: Logger
  /** Of the body after decompression. */
  readonly bodyLimitBytes: number
}

const NOBODY: Caller = { user_id: '', username: '' }

/** The trace API answers at `/` and, where SDKs look for it by themselves, under `/traces`. */
const PREFIXES = ['', '/traces'] as const

export function createServer(options: HttpOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: options.log,
    disableRequestLogging: true,
    bodyLimit: options.bodyLimitBytes,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // SDKs may be given a base URL that ends in a slash.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/{2,}/, '/'),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    sendProblem(
      new Problem('not_found', `there is no ${request.method} ${request.url.split('?')[0]}; see /docs`),
      request,
      reply,
    ),
  )
  for (const name of operationNames()) addOperation(server, name, options)
  return server
}

function addOperation(server: FastifyInstance, name: OperationName, options: HttpOptions): void {
  const operation = operations[name] as unknown as Operation
  const reader = new RequestReader(operation)
  const handler = options.handlers[name] as (request: unknown, caller: Caller) => Promise<unknown>
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const caller = await identify(operation, request, options.access)
    const body = await decodeBody(request, options.bodyLimitBytes)
    const document = await reader.read({
      body,
      contentType: request.headers['content-type'] ?? '',
      fields: { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) },
    })
    await permit(operation, document, caller, options.access)
    return answer(operation, await handler(document, caller), reply)
  }
  for (const prefix of PREFIXES) {
    for (const path of [operation.path, ...operation.aliases]) {
      server.route({ method: operation.method, url: prefix + path.replace(/\{(\w+)\}/g, ':$1'), handler: handle })
    }
  }
}

/** The one place where credentials are read. */
async function identify(operation: Operation, request: FastifyRequest, access: Access): Promise<Caller> {
  if (operation.access === 'public') return NOBODY
  return access.authenticate(request.headers.authorization)
}

/** The one place where rights are checked: for every project of the request, before anything is done. */
async function permit(operation: Operation, document: unknown, caller: Caller, access: Access): Promise<void> {
  if (operation.access === 'public' || operation.access === 'user') return
  await access.authorize(caller, operation.access, [...new Set(operation.projects(document))])
}

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = asProblem(error)
  if (problem.status >= 500) request.log.error({ err: error, request_id: request.id }, problem.message)
  const { status, headers, body } = answerProblem(problem, request.id)
  return reply.code(status).headers(headers).type('application/json').send(body)
}

/** Echoes a caller's id if it is harmless in a header and a log line. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}
