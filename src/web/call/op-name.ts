import { parseRef } from '../../client/browser/ref.ts'
import { visibleText } from '../ui/visible-text.ts'

/** The name of an op from its ref. */
export function shortOpName(op_name: string): string {
  const ref = parseRef(op_name)
  return ref?.kind === 'op' ? ref.name : op_name
}

/** The display name of a call, or the name of its op. */
export function callName(call: { readonly op_name: string; readonly display_name: string | null }): string {
  return visibleText(call.display_name ?? shortOpName(call.op_name))
}
