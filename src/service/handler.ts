import type { ResponseOf, OperationName, RequestOf } from '../contract/operations.ts'
import type { JsonLine } from '../core/json/json-line.ts'
import type { Caller } from './deps.ts'
import type { LargeDocuments } from './large-documents.ts'

type Handler<Name extends OperationName> = (
  request: RequestOf<Name>,
  caller: Caller,
) => Promise<ResultOf<Name>>

/** A streamed document may be text already. */
type ResultOf<Name extends OperationName> =
  ResponseOf<Name> extends AsyncIterable<infer Document>
    ? AsyncIterable<Document | JsonLine | LargeDocuments>
    : ResponseOf<Name>

/** The handlers of all operations in the contract. A missing handler is a compile error. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> }
