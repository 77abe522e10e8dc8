import { ApiError } from '../../client/browser/api-error.ts'
import type { ErrorCode } from '../../contract/api-error.ts'
import type { Message } from '../call/message.ts'
import { InlineSource, type JsonSource } from './json-source.ts'
import {
  type Answered,
  type DocumentName,
  DOCUMENTS,
  type OpenedCall,
  type PayloadAnswers,
  type PayloadQuestion,
} from './payload-messages.ts'

/** A call with its documents, ready to be looked into. */
export interface CallPayloads {
  /** Everything but the documents. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly documents: Readonly<Record<DocumentName, JsonSource>>
  readonly conversation: readonly Message[] | undefined
  /** Lets the worker forget it. */
  close(): void
}

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

function start(): Worker {
  const made = new Worker(new URL('payload-worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const asker = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.ok) asker?.resolve(data.answer as never)
    else asker?.reject(new ApiError(data.code as ErrorCode, data.reason))
  })
  return made
}

function ask<Kind extends PayloadQuestion['kind']>(
  question: Extract<PayloadQuestion, { kind: Kind }>,
): { readonly id: number; readonly answer: Promise<PayloadAnswers[Kind]> } {
  worker ??= start()
  const id = ++lastId
  const answer = new Promise<PayloadAnswers[Kind]>((resolve, reject) => {
    waiting.set(id, { resolve: resolve, reject })
  })
  worker.postMessage({ id, question }, [])
  return { id, answer }
}

/** Throws `not_found` for a call that is not there. */
export async function openCall(project_id: string, call_id: string): Promise<CallPayloads> {
  const { id, answer } = ask<'open'>({ kind: 'open', project_id, call_id })
  const call = await answer
  if (call === null) throw new ApiError('not_found', `there is no call ${call_id}`)
  return {
    rest: JSON.parse(call.rest) as Record<string, unknown>,
    documents: Object.fromEntries(
      DOCUMENTS.map((name) => [name, sourceOf(id, name, call.documents[name])]),
    ) as CallPayloads['documents'],
    conversation: call.conversation,
    close: () => void ask<'close'>({ kind: 'close', key: id }),
  }
}

function sourceOf(
  key: number,
  document: DocumentName,
  { size, text }: OpenedCall['documents'][DocumentName],
): JsonSource {
  if (text !== undefined) return new InlineSource(text)
  return {
    size,
    root: () => ask<'root'>({ kind: 'root', key, document }).answer,
    children: (at, from, to) => ask<'children'>({ kind: 'children', key, document, at, from, to }).answer,
    find: (text) => ask<'find'>({ kind: 'find', key, document, text }).answer,
    pathTo: (offset) => ask<'pathTo'>({ kind: 'pathTo', key, document, offset }).answer,
    slice: (at, end) => ask<'slice'>({ kind: 'slice', key, document, at, end }).answer,
    stringText: (at, end, most) =>
      ask<'stringText'>({ kind: 'stringText', key, document, at, end, most }).answer,
    bytes: (at, end, form) => ask<'bytes'>({ kind: 'bytes', key, document, at, end, form }).answer,
  }
}
