import { useCallback, useState } from 'react'
import { type Draft, emptyDraft } from './draft.ts'

export interface DraftHistory {
  readonly draft: Draft
  readonly change: (next: Draft) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly reset: () => void
}

/** A draft with undo and redo. */
export function useDraft(count: number): DraftHistory {
  const [history, setHistory] = useState<{ readonly drafts: readonly Draft[]; readonly index: number }>({
    drafts: [],
    index: -1,
  })
  const draft = history.drafts[history.index] ?? emptyDraft(count)
  const change = useCallback(
    (next: Draft) =>
      setHistory(({ drafts, index }) => ({
        drafts: [...drafts.slice(0, index + 1), next],
        index: index + 1,
      })),
    [],
  )
  const step = (by: number): void => setHistory(({ drafts, index }) => ({ drafts, index: index + by }))
  return {
    draft,
    change,
    undo: history.index >= 0 ? () => step(-1) : undefined,
    redo: history.index < history.drafts.length - 1 ? () => step(1) : undefined,
    reset: () => setHistory({ drafts: [], index: -1 }),
  }
}
