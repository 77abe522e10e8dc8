import type { CallFacts } from '../call/call-facts.ts'
import type { CallKind } from '../call/kind.ts'

/** A call of one of the traces that are compared, with what it called. */
export interface ComparedCall {
  /** The op without its version: calls of any version of it belong together. */
  readonly key: string
  readonly facts: CallFacts
  readonly kind: CallKind
  readonly children: ComparedCall[]
}

export interface ComparedTree {
  readonly root: ComparedCall
  readonly size: number
  /** There are more calls than were read. */
  readonly isCut: boolean
}

/** So much of a payload is compared for all calls at once. */
export const PREVIEW_CHARACTERS = 1000

/** Whether the beginnings of what two calls took and gave are equal; what is chosen is compared as a whole. */
export function differs(
  a: ComparedCall,
  b: ComparedCall,
): { readonly inputs: boolean; readonly output: boolean } {
  return {
    inputs: a.facts.inputText !== b.facts.inputText,
    output:
      a.facts.outputText !== b.facts.outputText ||
      a.facts.exception !== b.facts.exception ||
      a.facts.status !== b.facts.status,
  }
}
