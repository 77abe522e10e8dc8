import type { FastifyInstance, FastifyRequest } from 'fastify'
import { graphqlOperation } from '../contract/graphql.ts'
import { isHeddleApi, type Method, type Operation } from '../contract/operation.ts'
import { operationNames, operations } from '../contract/operations.ts'
import type { GraphqlHandler } from '../service/graphql/graphql.ts'
import type { Handlers } from '../service/handler.ts'
import { readBody } from './body.ts'
import { admitBody, admitCalls } from './pipeline/admit.ts'
import { authenticate } from './pipeline/authenticate.ts'
import { authorize } from './pipeline/authorize.ts'
import type { Endpoint, PipelineOptions } from './pipeline/endpoint.ts'
import { execute } from './pipeline/execute.ts'
import { readRequest } from './pipeline/read-request.ts'
import { addMethodNotAllowed, addUnsupportedRoutes, routeUrl } from './unsupported-routes.ts'

export interface RouteOptions extends PipelineOptions {
  readonly handlers: Handlers
  readonly graphql: GraphqlHandler
}

/** The trace API is served at `/` and under `/traces`, where SDKs expect it by default. */
export const PREFIXES = ['', '/traces'] as const

/** Adds the routes of all operations of the contract under all their paths, and of GraphQL. */
export function addOperations(server: FastifyInstance, options: RouteOptions): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const { body } = request.requestContext
    // Undefined for an unknown path, for example: the body is not read.
    return body && readBody(payload, body)
  })
  for (const name of operationNames()) {
    const operation = operations[name] as unknown as Operation
    const prefixes = isHeddleApi(operation) ? [''] : PREFIXES
    addOperation(
      server,
      { name, operation, handler: options.handlers[name] as Endpoint['handler'] },
      prefixes,
      options,
    )
  }
  addUnsupportedRoutes(server, PREFIXES)
  for (const [path, methods] of heddleApiPaths()) addMethodNotAllowed(server, path, ...methods)
  const operation = graphqlOperation as unknown as Operation
  addOperation(
    server,
    { name: 'graphql', operation, handler: options.graphql as Endpoint['handler'] },
    [''],
    options,
  )
  addMethodNotAllowed(server, operation.path, operation.method)
}

function heddleApiPaths(): Map<string, Method[]> {
  const paths = new Map<string, Method[]>()
  for (const { path, method } of Object.values(operations).filter(isHeddleApi))
    paths.set(path, [...(paths.get(path) ?? []), method])
  return paths
}

/** Adds the routes of one operation. The hooks are the steps of a request, in this order. */
function addOperation(
  server: FastifyInstance,
  endpoint: Endpoint,
  prefixes: readonly string[],
  options: RouteOptions,
): void {
  const steps = {
    // 1. Open the request context: a hook of the server (pipeline/open-context.ts).
    // 2. Authenticate. 3. Admit: quota of bytes, memory for the body.
    onRequest: [authenticate(endpoint, options), admitBody(endpoint, options)],
    // 4. Read the body (content type parser), decode, parse and validate it.
    preValidation: readRequest(endpoint, options),
    // 5. Authorize, then check the quotas of calls.
    preHandler: [authorize(endpoint, options), ...admitCalls(endpoint, options)],
    // 6. Execute. 7. Respond.
    handler: execute(endpoint, options),
  }
  const { method, path, aliases } = endpoint.operation
  for (const prefix of prefixes) {
    for (const spelling of [path, ...aliases]) {
      server.route({ method, url: prefix + routeUrl(spelling), ...steps })
    }
  }
}
