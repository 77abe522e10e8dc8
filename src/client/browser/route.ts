import type { BodyKind, Method, ResponseFormat } from '../../contract/operation.ts'
import type { Payloads } from './responses.ts'

/** How a browser calls one operation: its row in the generated table. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly body: BodyKind
  readonly responseFormat: ResponseFormat
  readonly payloads?: Payloads
}
