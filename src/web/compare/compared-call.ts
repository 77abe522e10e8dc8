import type { CallListItem } from '../call/call-list-item.ts'
import type { CallKind } from '../call/call-kind.ts'

/** A call of a compared trace, with its child calls. */
export interface ComparedCall {
  /** The op name without its version, so that calls of all versions match. */
  readonly key: string
  readonly item: CallListItem
  readonly kind: CallKind
  readonly children: ComparedCall[]
}

export interface ComparedTree {
  readonly root: ComparedCall
  readonly size: number
  /** The trace has more calls than were read. */
  readonly isTruncated: boolean
}

/** Characters of each payload that are compared for all calls. The selected call is compared in full. */
export const PREVIEW_CHARACTERS = 1000

/** Whether the inputs and outputs of two calls differ, by their previews. */
export function payloadDifferences(
  a: ComparedCall,
  b: ComparedCall,
): { readonly inputs: boolean; readonly output: boolean } {
  return {
    inputs: a.item.inputText !== b.item.inputText,
    output:
      a.item.outputText !== b.item.outputText ||
      a.item.exception !== b.item.exception ||
      a.item.status !== b.item.status,
  }
}
