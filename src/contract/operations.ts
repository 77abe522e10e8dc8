import type { z } from 'zod'
import { callsOperations } from './calls.ts'
import { costOperations } from './costs.ts'
import { feedbackOperations } from './feedback.ts'
import { filesOperations } from './files.ts'
import { objectsOperations } from './objects.ts'
import { refsOperations } from './refs.ts'
import { serviceOperations } from './service.ts'
import { tablesOperations } from './tables.ts'

/**
 * The table of operations. Route, validation, authorization, OpenAPI, typed client, reference page and the tests
 * that every operation owes are derived from it; service/handlers.ts must have a handler for each row.
 */
export const operations = {
  ...serviceOperations,
  ...objectsOperations,
  ...tablesOperations,
  ...filesOperations,
  ...refsOperations,
  ...callsOperations,
  ...feedbackOperations,
  ...costOperations,
}

type Operations = typeof operations
export type OperationName = keyof Operations

export type RequestOf<Name extends OperationName> = z.output<Operations[Name]['request']>
/** The request as a caller writes it: before defaults and transforms. */
export type InputOf<Name extends OperationName> = z.input<Operations[Name]['request']>
type DocumentOf<Name extends OperationName> = z.output<Operations[Name]['response']>

/** What a handler answers: the document, a stream of documents, or bytes, as the table says. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'] extends 'jsonl'
  ? AsyncIterable<DocumentOf<Name>>
  : Operations[Name]['answer'] extends 'bytes'
    ? Buffer
    : DocumentOf<Name>

export function operationNames(): OperationName[] {
  return Object.keys(operations) as OperationName[]
}
