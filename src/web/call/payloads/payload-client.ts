import { ApiError } from '../../../client/browser/api-error.ts'
import type { ErrorCode } from '../../../contract/api-error.ts'
import { InlineSource, type JsonSource } from '../../json/json-source.ts'
import {
  type ResponseMessage,
  type DocumentName,
  DOCUMENTS,
  type OpenedCall,
  type PayloadResponses,
  type PayloadRequest,
} from './payload-messages.ts'

/** A call with its documents. */
export interface CallPayloads extends Pick<
  OpenedCall,
  'conversation' | 'kind' | 'hasSpan' | 'events' | 'links'
> {
  /** All fields except the documents. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly documents: Readonly<Record<DocumentName, JsonSource>>
  /** Releases the documents in the worker. */
  close(): void
}

interface PendingRequest {
  readonly resolve: (response: never) => void
  readonly reject: (error: Error) => void
}

let worker: Worker | undefined
let lastId = 0
const pendingRequests = new Map<number, PendingRequest>()

function startWorker(): Worker {
  const newWorker = new Worker(new URL('payload-worker.ts', import.meta.url), { type: 'module' })
  newWorker.addEventListener('message', ({ data }: MessageEvent<ResponseMessage>) => {
    const pending = pendingRequests.get(data.id)
    pendingRequests.delete(data.id)
    if (data.ok) pending?.resolve(data.response as never)
    else pending?.reject(new ApiError(data.code as ErrorCode, data.reason))
  })
  return newWorker
}

function sendRequest<Kind extends PayloadRequest['kind']>(
  request: Extract<PayloadRequest, { kind: Kind }>,
): { readonly id: number; readonly response: Promise<PayloadResponses[Kind]> } {
  worker ??= startWorker()
  const id = ++lastId
  const response = new Promise<PayloadResponses[Kind]>((resolve, reject) => {
    pendingRequests.set(id, { resolve: resolve, reject })
  })
  worker.postMessage({ id, request }, [])
  return { id, response }
}

/** Loads a call. Throws `not_found` if it does not exist. */
export async function openCall(project_id: string, call_id: string): Promise<CallPayloads> {
  const { id, response } = sendRequest<'open'>({ kind: 'open', project_id, call_id })
  const call = await response
  if (call === null) throw new ApiError('not_found', `there is no call ${call_id}`)
  return {
    ...call,
    rest: JSON.parse(call.rest) as Record<string, unknown>,
    documents: Object.fromEntries(
      DOCUMENTS.map((name) => [name, documentSource(id, name, call.documents[name])]),
    ) as CallPayloads['documents'],
    close: () => void sendRequest<'close'>({ kind: 'close', key: id }),
  }
}

function documentSource(
  key: number,
  document: DocumentName,
  { size, text }: OpenedCall['documents'][DocumentName],
): JsonSource {
  if (text !== undefined) return new InlineSource(text)
  return {
    size,
    root: () => sendRequest<'root'>({ kind: 'root', key, document }).response,
    children: (at, from, to) =>
      sendRequest<'children'>({ kind: 'children', key, document, at, from, to }).response,
    find: (text) => sendRequest<'find'>({ kind: 'find', key, document, text }).response,
    pathTo: (offset) => sendRequest<'pathTo'>({ kind: 'pathTo', key, document, offset }).response,
    slice: (at, end) => sendRequest<'slice'>({ kind: 'slice', key, document, at, end }).response,
    stringText: (at, end, maxCharacters) =>
      sendRequest<'stringText'>({ kind: 'stringText', key, document, at, end, maxCharacters }).response,
    bytes: (at, end, encoding) =>
      sendRequest<'bytes'>({ kind: 'bytes', key, document, at, end, encoding }).response,
  }
}
