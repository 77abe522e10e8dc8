import type { Message } from '../call/message.ts'
import type { InlineMedia } from '../media/media-value.ts'
import type { JsonChildren, JsonHits, JsonNode } from './json-index.ts'

/** What the page and the worker that holds payloads say to each other. */

export const DOCUMENTS = ['inputs', 'output', 'attributes', 'summary'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

/** A document with at most so many characters goes to the page as text; others stay with the worker. */
export const INLINE_CHARACTERS = 200_000

interface OpenedDocument {
  readonly size: number
  /** undefined for one that stays with the worker. */
  readonly text: string | undefined
}

export interface OpenedCall {
  /** The call without its documents, as JSON. */
  readonly rest: string
  readonly documents: Readonly<Record<DocumentName, OpenedDocument>>
  /** The messages in it, if it is a conversation with a model. */
  readonly conversation: readonly Message[] | undefined
}

export type PayloadQuestion =
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
      readonly most: number
    }
  | {
      readonly kind: 'bytes'
      readonly key: number
      readonly document: DocumentName
      readonly at: number
      readonly end: number
      readonly form: InlineMedia['form']
    }

export interface PayloadAnswers {
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

/** `key` names the question, and for `open` the call that later ones are about. */
export interface Asked {
  readonly id: number
  readonly question: PayloadQuestion
}

export type Answered =
  | { readonly id: number; readonly ok: true; readonly answer: PayloadAnswers[keyof PayloadAnswers] }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly reason: string }
