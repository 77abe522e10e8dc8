import type { Operation } from '../../src/contract/operation.ts'
import { operationNames, operations } from '../../src/contract/operations.ts'
import { type Shape, shapeOf } from '../../src/core/json/shape.ts'

/** The table of operations as a browser needs it: how to ask, and where payloads lie in the response. */
export function browserRoutes(): string {
  const rows = operationNames().map((name) => {
    const { method, path, body, responseFormat, response } = operations[name] as unknown as Operation
    const payloads = payloadsOf(shapeOf(response))
    const route = { method, path, body, responseFormat, ...(payloads === undefined ? {} : { payloads }) }
    return `  ${name}: ${JSON.stringify(route)},`
  })
  return `// Made by \`npm run generate\` from src/contract/operations.ts.
import type { OperationName } from '../../contract/operations.ts'
import type { Route } from './client.ts'

export const routes: Readonly<Record<OperationName, Route>> = {
${rows.join('\n')}
}
`
}

type Payloads = 1 | [Payloads] | { [key: string]: Payloads }

function payloadsOf(shape: Shape): Payloads | undefined {
  switch (shape.kind) {
    case 'raw':
      return 1
    case 'scalar':
    case 'value':
      return undefined
    case 'array': {
      const item = payloadsOf(shape.item)
      return item === undefined ? undefined : [item]
    }
    case 'record': {
      const value = payloadsOf(shape.value)
      return value === undefined ? undefined : { '*': value }
    }
    case 'object': {
      const members = [...shape.keys].flatMap(([key, inner]): [string, Payloads][] => {
        const payloads = payloadsOf(inner)
        return payloads === undefined ? [] : [[key, payloads]]
      })
      return members.length === 0 ? undefined : Object.fromEntries(members)
    }
  }
}
