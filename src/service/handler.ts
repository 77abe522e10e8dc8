import type { ResponseOf, OperationName, RequestOf } from '../contract/operations.ts'
import type { Caller } from './deps.ts'

type Handler<Name extends OperationName> = (
  request: RequestOf<Name>,
  caller: Caller,
  /** Given for reads: aborted when nobody waits for the answer any more. Statements know it by themselves. */
  signal?: AbortSignal,
) => Promise<ResponseOf<Name>>

/** One handler for each row of the contract's table: a missing one does not compile. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> }
