import type { FastifyInstance } from 'fastify'
import type { Method } from '../contract/operation.ts'
import { ApiError } from '../contract/api-error.ts'
import { notServed, servedEndpoints, shapeOfPath } from '../contract/weave-api.ts'

/** Routes that only say no, in words: the path is known, the method or the whole operation is not served. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Marks them, so that they do not count as served. */
const REFUSAL: object = { isRefusal: true }

export function isRefusal(route: { config?: object }): boolean {
  return route.config !== undefined && 'isRefusal' in route.config
}

interface Place {
  readonly path: string
  readonly served: Set<Method>
  /** Weave has these and Heddle does not. */
  readonly missing: Set<Method>
}

/** For every path of the trace API: the methods that the table does not have there. */
export function addRefusals(server: FastifyInstance, prefixes: readonly string[]): void {
  const places = new Map<string, Place>()
  const placeOf = (path: string): Place => {
    const shape = shapeOfPath(path)
    const place = places.get(shape) ?? { path, served: new Set(), missing: new Set() }
    places.set(shape, place)
    return place
  }
  for (const { method, path } of servedEndpoints()) placeOf(path).served.add(method)
  for (const { method, path } of notServed()) placeOf(path).missing.add(method)
  for (const prefix of prefixes) for (const place of places.values()) addPlace(server, prefix, place)
}

/** A path that is not of the trace API, such as a page: what it does take. */
export function addOtherMethods(server: FastifyInstance, path: string, ...methods: Method[]): void {
  addPlace(server, '', { path, served: new Set(methods), missing: new Set() })
}

function addPlace(server: FastifyInstance, prefix: string, { path, served, missing }: Place): void {
  const methods = [...served]
  const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS']
  const isMissing = (method: string): boolean => served.size === 0 || missing.has(method as Method)
  server.route({
    method: METHODS.filter((method) => !served.has(method as Method)),
    url: prefix + urlOf(path),
    config: REFUSAL,
    onRequest: async (request, reply) => {
      reply.header('allow', allow.join(', '))
      const { method } = request
      if (method === 'OPTIONS') return reply.code(204).send()
      if (!isMissing(method))
        throw new ApiError('method_not_allowed', `${method} is not served here; use ${methods.join(' or ')}`)
      throw new ApiError(
        'not_implemented',
        `Heddle does not have ${method} ${path} of Weave's API; see /docs for what it has`,
      )
    },
    handler: async () => {},
  })
}

/** A path of the contract as the router spells it. */
export function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
