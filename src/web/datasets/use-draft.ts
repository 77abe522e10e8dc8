import { useCallback, useState } from 'react'
import { type Draft, emptyDraft } from './draft.ts'

export interface DraftHistory {
  readonly draft: Draft
  readonly change: (next: Draft) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly reset: () => void
}

/** A draft and the way back through what was done to it. */
export function useDraft(count: number): DraftHistory {
  const [history, setHistory] = useState<{ readonly drafts: readonly Draft[]; readonly at: number }>({
    drafts: [],
    at: -1,
  })
  const draft = history.drafts[history.at] ?? emptyDraft(count)
  const change = useCallback(
    (next: Draft) =>
      setHistory(({ drafts, at }) => ({ drafts: [...drafts.slice(0, at + 1), next], at: at + 1 })),
    [],
  )
  const step = (by: number): void => setHistory(({ drafts, at }) => ({ drafts, at: at + by }))
  return {
    draft,
    change,
    undo: history.at >= 0 ? () => step(-1) : undefined,
    redo: history.at < history.drafts.length - 1 ? () => step(1) : undefined,
    reset: () => setHistory({ drafts: [], at: -1 }),
  }
}
