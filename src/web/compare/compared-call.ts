import { hasStableDifference } from '../diff/volatile.ts'
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
  includesVolatile: boolean,
): { readonly inputs: boolean; readonly output: boolean } {
  const differ = (left: string, right: string): boolean =>
    includesVolatile ? left !== right : hasStableDifference(left, right, PREVIEW_CHARACTERS)
  return {
    inputs: differ(a.item.inputText, b.item.inputText),
    output:
      a.item.status !== b.item.status ||
      differ(a.item.outputText, b.item.outputText) ||
      differ(a.item.exception ?? '', b.item.exception ?? ''),
  }
}
