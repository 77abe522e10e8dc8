import type { FastifyInstance } from 'fastify'
import type { Method } from '../contract/operation.ts'
import { ApiError } from '../contract/api-error.ts'
import { unimplementedEndpoints, servedEndpoints, pathTemplate } from '../contract/weave-api.ts'

/** Routes that answer 405 or 501 with an explanation: the path is known, but not this method or operation. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

const ROUTED_METHODS: ReadonlySet<string> = new Set([...METHODS, 'HEAD'])

/** Methods that no operation has, such as QUERY or PROPFIND, are routed as one, so that they need no routes of their own. */
export function routedMethod(method: string): string {
  return ROUTED_METHODS.has(method) ? method : 'TRACE'
}

/** Marks these routes, so that they do not count as served. */
const UNSUPPORTED: object = { isRefusal: true }

export function isUnsupportedRoute(route: { config?: object }): boolean {
  return route.config !== undefined && 'isRefusal' in route.config
}

interface PathMethods {
  readonly path: string
  readonly served: Set<Method>
  /** Methods that Weave has and Heddle does not, with the reason. */
  readonly missing: Map<Method, string>
}

/** Covers, for every path of the trace API, the methods that the table of operations does not have. */
export function addUnsupportedRoutes(server: FastifyInstance, prefixes: readonly string[]): void {
  const paths = new Map<string, PathMethods>()
  const methodsAt = (path: string): PathMethods => {
    const template = pathTemplate(path)
    const methods = paths.get(template) ?? { path, served: new Set(), missing: new Map() }
    paths.set(template, methods)
    return methods
  }
  for (const { method, path } of servedEndpoints()) methodsAt(path).served.add(method)
  for (const { method, path, reason } of unimplementedEndpoints()) methodsAt(path).missing.set(method, reason)
  for (const prefix of prefixes)
    for (const methods of paths.values()) addUnsupportedMethods(server, prefix, methods)
}

/** For a path outside the trace API, such as a page: rejects all methods but these. */
export function addMethodNotAllowed(server: FastifyInstance, path: string, ...methods: Method[]): void {
  addUnsupportedMethods(server, '', { path, served: new Set(methods), missing: new Map() })
}

function addUnsupportedMethods(
  server: FastifyInstance,
  prefix: string,
  { path, served, missing }: PathMethods,
): void {
  const methods = [...served]
  const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS']
  // No method of such a path is served, so any is refused with the reason.
  const anyReason = served.size === 0 ? [...missing.values()][0] : undefined
  server.route({
    method: METHODS.filter((method) => !served.has(method as Method)),
    url: prefix + routeUrl(path),
    config: UNSUPPORTED,
    onRequest: async (request, reply) => {
      reply.header('allow', allow.join(', '))
      const { method } = request
      if (method === 'OPTIONS') return reply.code(204).send()
      const reason = missing.get(method as Method) ?? anyReason
      if (reason === undefined)
        throw new ApiError(
          'method_not_allowed',
          `this method is not supported at this path; use ${methods.join(' or ')}`,
        )
      throw new ApiError(
        'not_implemented',
        `Heddle does not implement ${method} ${path} of Weave's API: ${reason}. See /docs for the supported operations`,
      )
    },
    handler: async () => {},
  })
}

/** Converts a path of the contract (`{entity}`) to the router's syntax (`:entity`). */
export function routeUrl(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
