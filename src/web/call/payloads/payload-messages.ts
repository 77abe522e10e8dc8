import type { CallKind } from '../call-kind.ts'
import type { Message } from '../message.ts'
import type { SpanEvent, SpanLink } from '../span-details.ts'
import type { InlineMedia } from '../../media/media-value.ts'
import type { JsonChildren, JsonHits, JsonNode } from '../../json/json-index.ts'

/** Messages between the page and the payload worker. */

/** `span` is `attributes.otel_span`; the others are fields of a call. */
export const DOCUMENTS = ['inputs', 'output', 'attributes', 'summary', 'span'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

/** Smaller documents are sent to the page as text. Larger ones stay in the worker. */
export const MAX_INLINE_CHARACTERS = 200_000

interface OpenedDocument {
  readonly size: number
  /** `undefined` if the document stays in the worker. */
  readonly text: string | undefined
}

export interface OpenedCall {
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

export type PayloadRequest =
  | { readonly kind: 'open'; readonly project_id: string; readonly call_id: string }
  | { readonly kind: 'close'; readonly key: number }
  | { readonly kind: 'root'; readonly key: number; readonly document: DocumentName }
  | {
      readonly kind: 'children'
      readonly key: number
      readonly document: DocumentName
      readonly at: number
      readonly from: number
      readonly to: number
    }
  | { readonly kind: 'find'; readonly key: number; readonly document: DocumentName; readonly text: string }
  | {
      readonly kind: 'pathTo'
      readonly key: number
      readonly document: DocumentName
      readonly offset: number
    }
  | {
      readonly kind: 'slice'
      readonly key: number
      readonly document: DocumentName
      readonly at: number
      readonly end: number
    }
  | {
      readonly kind: 'stringText'
      readonly key: number
      readonly document: DocumentName
      readonly at: number
      readonly end: number
      readonly maxCharacters: number
    }
  | {
      readonly kind: 'bytes'
      readonly key: number
      readonly document: DocumentName
      readonly at: number
      readonly end: number
      readonly encoding: InlineMedia['encoding']
    }

export interface PayloadResponses {
  readonly open: OpenedCall | null
  readonly close: null
  readonly root: JsonNode
  readonly children: JsonChildren
  readonly find: JsonHits
  readonly pathTo: readonly JsonNode[]
  readonly slice: string
  readonly stringText: string
  readonly bytes: Blob
}

/** `id` identifies the request. The id of an `open` request is the `key` of later requests about that call. */
export interface RequestMessage {
  readonly id: number
  readonly request: PayloadRequest
}

export type ResponseMessage =
  | { readonly id: number; readonly ok: true; readonly response: PayloadResponses[keyof PayloadResponses] }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly reason: string }
