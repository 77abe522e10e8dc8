import type { MediaValue } from '../media/media-value.ts'

/** The document that a message is read from. */
export type ConversationDocument = 'inputs' | 'output'

/** A message of a conversation with a model, independent of the provider's format. */
export interface Message {
  readonly role: string
  readonly parts: readonly MessagePart[]
  /** Whether the message is part of the model's output. */
  readonly isOutput: boolean
}

export type MessagePart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string; readonly isTruncated: boolean }
  /** `json` is the original text. */
  | {
      readonly kind: 'tool call'
      /** Tool results refer to it. */
      readonly id: string | undefined
      readonly name: string
      readonly json: string
      readonly isTruncated: boolean
    }
  | {
      readonly kind: 'tool result'
      /** Of the tool call. */
      readonly id: string | undefined
      readonly name: string
      readonly text: string
      readonly isTruncated: boolean
    }
  | {
      readonly kind: 'media'
      readonly name: string
      /** `undefined` if only a name is known, such as the id of a file stored by the provider. */
      readonly media: MediaValue | undefined
      /** The document that contains it. */
      readonly document: ConversationDocument
    }
  | { readonly kind: 'json'; readonly json: string; readonly isTruncated: boolean }
