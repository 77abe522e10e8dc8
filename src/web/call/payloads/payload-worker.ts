import { expose } from 'comlink'
import { ApiError } from '../../../client/browser/api-error.ts'
import { createBrowserClient } from '../../../client/browser/client.ts'
import { eachChild, skipSpace, stringAt } from '../../../client/browser/json-scan.ts'
import { BASE_PATH } from '../../api/base-path.ts'
import { JsonIndex } from '../../json/json-index.ts'
import { type CallKind, kindFromAttributes } from '../call-kind.ts'
import { readConversation } from '../conversation.ts'
import type { Message } from '../message.ts'
import { readSpanDetails, type SpanEvent, type SpanLink } from '../span-details.ts'

/**
 * Web worker that fetches calls and indexes their documents, so that a payload of 20 MB does not block the page.
 * payload-client.ts is the other end. Bytes are sent as a `Blob`, which is a reference and not copied.
 */
// A read by id is never partial.
const client = createBrowserClient({ basePath: BASE_PATH, onPartial: () => undefined })
const openCalls = new Map<number, Readonly<Record<DocumentName, JsonIndex>>>()
let lastKey = 0

/** `span` is `attributes.otel_span`; the others are fields of a call. */
const DOCUMENTS = ['inputs', 'output', 'attributes', 'summary', 'span'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

/** Smaller documents are sent to the page as text. Larger ones stay in the worker. */
const MAX_INLINE_CHARACTERS = 200_000

interface OpenedDocument {
  readonly size: number
  /** `undefined` if the document stays in the worker. */
  readonly text: string | undefined
}

export interface OpenedCall {
  /** Identifies the call in later requests. */
  readonly key: number
  /** The call without its documents, as JSON. */
  readonly rest: string
  readonly documents: Readonly<Record<DocumentName, OpenedDocument>>
  /** The messages, if the call is a conversation with a model. */
  readonly conversation: readonly Message[] | undefined
  /** Undefined if the attributes do not tell. */
  readonly kind: CallKind | undefined
  readonly hasSpan: boolean
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
}

/** An `ApiError`: errors lose their class and fields on the way to the page. */
type OpenFailure = Pick<ApiError, 'code' | 'extra'> & { readonly reason: string }

const payloadWorker = {
  open: (project_id: string, call_id: string): Promise<OpenedCall | OpenFailure> =>
    open(project_id, call_id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return { code: error.code, reason: error.message, extra: error.extra }
    }),
  close: (key: number) => void openCalls.delete(key),
  root: (key: number, name: DocumentName) => document(key, name).root(),
  children: (key: number, name: DocumentName, ...range: Parameters<JsonIndex['children']>) =>
    document(key, name).children(...range),
  find: (key: number, name: DocumentName, text: string) => document(key, name).find(text),
  pathTo: (key: number, name: DocumentName, offset: number) => document(key, name).pathTo(offset),
  slice: (key: number, name: DocumentName, ...range: Parameters<JsonIndex['slice']>) =>
    document(key, name).slice(...range),
  stringText: (key: number, name: DocumentName, ...range: Parameters<JsonIndex['stringText']>) =>
    document(key, name).stringText(...range),
  bytes: (key: number, name: DocumentName, ...range: Parameters<JsonIndex['bytes']>) =>
    document(key, name).bytes(...range),
}
export type PayloadWorker = typeof payloadWorker
expose(payloadWorker)

function document(key: number, name: DocumentName): JsonIndex {
  const index = openCalls.get(key)?.[name]
  if (index === undefined) throw new Error('the call is no longer open')
  return index
}

async function open(project_id: string, call_id: string): Promise<OpenedCall> {
  const response = await client.text('call_read', { project_id, id: call_id, include_costs: true })
  const parts = splitResponse(response)
  if (parts === undefined) throw new ApiError('not_found', `there is no call ${call_id}`)
  const attributes = parts.documents.get('attributes') ?? 'null'
  const { span, events, links } = readSpanDetails(attributes)
  if (span !== undefined) parts.documents.set('span', span)
  const indexes = Object.fromEntries(
    DOCUMENTS.map((name) => [name, new JsonIndex(parts.documents.get(name) ?? 'null')]),
  ) as Record<DocumentName, JsonIndex>
  const key = ++lastKey
  openCalls.set(key, indexes)
  return {
    key,
    rest: parts.rest,
    documents: Object.fromEntries(
      DOCUMENTS.map((name) => {
        const { size, text } = indexes[name]
        return [name, { size, text: size <= MAX_INLINE_CHARACTERS ? text : undefined }]
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
