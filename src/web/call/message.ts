import type { MediaValue } from '../media/media-value.ts'

/** Where messages are read from. */
export type ConversationDocument = 'inputs' | 'output'

/** A turn of a conversation with a model, whichever provider's words it was written in. */
export interface Message {
  readonly role: string
  readonly parts: readonly MessagePart[]
  /** Whether it is what the model answered. */
  readonly isOutput: boolean
}

export type MessagePart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string; readonly isCut: boolean }
  /** `json` is the text as it was sent. */
  | { readonly kind: 'tool call'; readonly name: string; readonly json: string; readonly isCut: boolean }
  | { readonly kind: 'tool result'; readonly name: string; readonly text: string; readonly isCut: boolean }
  | {
      readonly kind: 'media'
      readonly name: string
      /** undefined where only its name is known, such as the id of a file that a provider holds. */
      readonly media: MediaValue | undefined
      /** The document in which it stands. */
      readonly document: ConversationDocument
    }
  | { readonly kind: 'json'; readonly json: string; readonly isCut: boolean }
