import { createBrowserClient } from '../../../client/browser/client.ts'
import { eachChild, skipSpace, stringAt } from '../../../client/browser/json-scan.ts'
import { ApiError } from '../../../client/browser/api-error.ts'
import { kindFromAttributes } from '../call-kind.ts'
import { readConversation } from '../conversation.ts'
import { readSpanDetails } from '../span-details.ts'
import { JsonIndex } from '../../json/json-index.ts'
import {
  type ResponseMessage,
  type RequestMessage,
  type DocumentName,
  DOCUMENTS,
  MAX_INLINE_CHARACTERS,
  type OpenedCall,
  type PayloadResponses,
  type PayloadRequest,
} from './payload-messages.ts'

/**
 * Web worker that fetches calls and indexes their documents, so that a payload of 20 MB does not block the page.
 * payload-client.ts is the other end.
 */
const client = createBrowserClient()
const openCalls = new Map<number, Readonly<Record<DocumentName, JsonIndex>>>()

/** The global scope of a worker, which the DOM types do not declare. */
interface WorkerScope {
  addEventListener(kind: 'message', listener: (event: MessageEvent<RequestMessage>) => void): void
  postMessage(message: ResponseMessage, transfer: readonly Transferable[]): void
}

const workerScope = globalThis as unknown as WorkerScope
workerScope.addEventListener('message', ({ data }) => void handleMessage(data))

async function handleMessage({ id, request }: RequestMessage): Promise<void> {
  try {
    const response = request.kind === 'open' ? await open(id, request) : readDocument(request)
    workerScope.postMessage({ id, ok: true, response }, [])
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal'
    const reason = error instanceof Error ? error.message : String(error)
    workerScope.postMessage({ id, ok: false, code, reason }, [])
  }
}

async function open(
  id: number,
  { project_id, call_id }: Extract<PayloadRequest, { kind: 'open' }>,
): Promise<OpenedCall | null> {
  const text = await client.text('call_read', { project_id, id: call_id, include_costs: true })
  const parts = splitResponse(text)
  if (parts === undefined) return null
  const attributes = parts.documents.get('attributes') ?? 'null'
  const { span, events, links } = readSpanDetails(attributes)
  if (span !== undefined) parts.documents.set('span', span)
  const indexes = Object.fromEntries(
    DOCUMENTS.map((name) => [name, new JsonIndex(parts.documents.get(name) ?? 'null')]),
  ) as Record<DocumentName, JsonIndex>
  openCalls.set(id, indexes)
  return {
    rest: parts.rest,
    documents: Object.fromEntries(
      DOCUMENTS.map((name) => {
        const { text } = indexes[name]
        return [name, { size: text.length, text: text.length <= MAX_INLINE_CHARACTERS ? text : undefined }]
      }),
    ) as OpenedCall['documents'],
    conversation: readConversation(indexes.inputs.text, indexes.output.text),
    kind: kindFromAttributes(attributes),
    hasSpan: span !== undefined,
    events,
    links,
  }
}

interface ResponseParts {
  readonly documents: Map<string, string>
  readonly rest: string
}

/** Splits a response into documents and the rest; `undefined` if the call does not exist: `{"call": null}`. */
function splitResponse(text: string): ResponseParts | undefined {
  let callAt = -1
  eachChild(text, skipSpace(text, 0), (keyAt, valueAt) => {
    if (stringAt(text, keyAt) === 'call') callAt = valueAt
  })
  if (callAt === -1 || !text.startsWith('{', callAt)) return undefined
  const documents = new Map<string, string>()
  const rest: string[] = []
  eachChild(text, callAt, (keyAt, valueAt, end) => {
    const key = stringAt(text, keyAt)
    if ((DOCUMENTS as readonly string[]).includes(key)) documents.set(key, text.slice(valueAt, end))
    else rest.push(text.slice(keyAt, end))
  })
  return { documents, rest: `{${rest.join(',')}}` }
}

function readDocument(
  request: Exclude<PayloadRequest, { kind: 'open' }>,
): PayloadResponses[keyof PayloadResponses] {
  if (request.kind === 'close') {
    openCalls.delete(request.key)
    return null
  }
  const index = openCalls.get(request.key)?.[request.document]
  if (index === undefined) throw new Error('the call is no longer open')
  switch (request.kind) {
    case 'root':
      return index.root
    case 'children':
      return index.children(request.at, request.from, request.to)
    case 'find':
      return index.find(request.text)
    case 'pathTo':
      return index.pathTo(request.offset)
    case 'slice':
      return index.slice(request.at, request.end)
    case 'stringText':
      return index.stringText(request.at, request.end, request.maxCharacters)
    case 'bytes':
      return index.bytes(request.at, request.end, request.encoding)
  }
}
