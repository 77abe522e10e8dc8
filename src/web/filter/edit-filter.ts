import { conjunction, conjuncts } from './ast.ts'
import type { FilterInput } from './filter-input.ts'
import { fromQuery } from './from-query.ts'
import { parseFilter } from './parse.ts'
import { printFilter } from './print.ts'

/** What the filter box edits: one condition, the search text, or a new condition. */
export type EditedPart = number | 'text' | 'new'

/** The conditions of a filter, one per chip. An invalid filter is one part, so that it can be fixed or removed. */
export function filterParts(filter: string | undefined): { texts: readonly string[]; isInvalid: boolean } {
  const parsed = parseFilter(filter ?? '')
  if (!parsed.ok) return { texts: [filter ?? ''], isInvalid: true }
  return { texts: conjuncts(parsed.filter).map((part) => printFilter(part)), isInvalid: false }
}

export type EditResult =
  | { readonly ok: true; readonly input: FilterInput }
  | { readonly ok: false; readonly reason: string }

/**
 * Applies what was typed in place of one part. A new condition is joined to the others by `and`, unless it begins with
 * `or`. Text that is not a condition searches all calls.
 */
export function applyEdit({ filter, text }: FilterInput, edited: EditedPart, draft: string): EditResult {
  const typed = draft.trim()
  const { texts, isInvalid } = filterParts(filter)
  const others = texts.filter((_, i) => i !== edited && !isInvalid)
  const keptText = edited === 'text' ? undefined : text
  if (typed === '') return applied(others, keptText)
  const pasted = typed.startsWith('{') ? fromQuery(typed) : undefined
  if (pasted !== undefined) return applied(insertPart(others, edited, printFilter(pasted)), keptText)
  if (edited === 'new' && others.length > 0 && /^(?:and|or)\s/i.test(typed)) {
    const joined = parseFilter(`${joinParts(others)} ${typed}`)
    return joined.ok ? applied([printFilter(joined.filter)], keptText) : { ok: false, reason: joined.reason }
  }
  const parsed = parseFilter(typed)
  if (parsed.ok) return applied(insertPart(others, edited, printFilter(parsed.filter)), keptText)
  if (!isPlainText(typed)) return { ok: false, reason: parsed.reason }
  return applied(others, typed.replace(/^"(.*)"$/, '$1'))
}

export function isPlainText(text: string): boolean {
  return /^"[^"]+"$/.test(text) || !/[=<>~()]/.test(text)
}

function applied(parts: readonly string[], text: string | undefined): EditResult {
  return { ok: true, input: { filter: joinParts(parts), text } }
}

function insertPart(others: readonly string[], edited: EditedPart, part: string): string[] {
  const at = typeof edited === 'number' ? edited : others.length
  return [...others.slice(0, at), part, ...others.slice(at)]
}

function joinParts(parts: readonly string[]): string | undefined {
  if (parts.length === 0) return undefined
  const filters = parts.flatMap((part) => {
    const parsed = parseFilter(part)
    return parsed.ok && parsed.filter !== undefined ? [parsed.filter] : []
  })
  return printFilter(conjunction(filters)) || undefined
}
