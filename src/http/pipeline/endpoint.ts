import type { Operation } from '../../contract/operation.ts'
import type { Access } from '../../service/access/access.ts'
import type { Quotas } from '../../service/access/quotas.ts'
import type { Caller } from '../../service/deps.ts'
import type { LargeRequests } from '../large-requests.ts'
import type { UnauthenticatedLimits } from '../unauthenticated.ts'

/** One operation of the contract with its handler. */
export interface Endpoint {
  readonly name: string
  readonly operation: Operation
  readonly handler: (request: unknown, caller: Caller) => Promise<unknown>
}

/** What the steps of a request need besides the endpoint. */
export interface PipelineOptions {
  readonly access: Access
  readonly quotas: Quotas
  readonly unauthenticated: UnauthenticatedLimits
  /** Of the session cookie. */
  readonly cookiePath: string
  /** Maximum size of one body, after decompression. */
  readonly bodyLimitBytes: number
  /** Executes large requests; if undefined, all are executed here. */
  readonly largeRequests?: LargeRequests | undefined
}
