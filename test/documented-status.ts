import { ERROR_STATUS } from '../src/contract/api-error.ts'
import { graphqlOperation } from '../src/contract/graphql.ts'
import type { Operation } from '../src/contract/operation.ts'
import { operations } from '../src/contract/operations.ts'
import { errorCodes } from '../src/http/docs/operation-schemas.ts'

/** Node returns these before a request has an operation: 408 and 431, and 400 for malformed HTTP. */
const OUTSIDE_OPERATIONS = [408, 431]

interface Documented {
  readonly method: string
  readonly path: RegExp
  readonly statuses: ReadonlySet<number>
}

let all: readonly Documented[] | undefined

/** Throws if an operation returns a status that `/openapi.json` does not state for it. */
export function checkDocumentedStatus(method: string, url: string, status: number): void {
  // Resolves `..`, as clients do.
  const path = new URL(`http://server${url}`).pathname
  const found = documentedOperations().find((each) => each.method === method && each.path.test(path))
  if (found === undefined || found.statuses.has(status) || OUTSIDE_OPERATIONS.includes(status)) return
  throw new Error(`${method} ${path} returned ${status}; add its error to \`errors\` of the operation`)
}

function documentedOperations(): readonly Documented[] {
  all ??= [...Object.values(operations), graphqlOperation].flatMap((each) => {
    const operation = each as unknown as Operation
    // `/traces` is in front of all paths but GraphQL's.
    const prefix = operation === graphqlOperation ? '' : '(?:traces/)?'
    const statuses = new Set([200, ...errorCodes(operation).map((code) => ERROR_STATUS[code])])
    return [operation.path, ...operation.aliases].map((path) => ({
      method: operation.method,
      path: new RegExp(`^/*${prefix}${path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      statuses,
    }))
  })
  return all
}
