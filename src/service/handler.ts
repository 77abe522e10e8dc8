import type { ResponseOf, OperationName, RequestOf } from '../contract/operations.ts'
import type { Caller } from './deps.ts'

type Handler<Name extends OperationName> = (
  request: RequestOf<Name>,
  caller: Caller,
) => Promise<ResponseOf<Name>>

/** The handlers of all operations in the contract. A missing handler is a compile error. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> }
