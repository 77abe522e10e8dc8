import { diffSequences } from './sequence-diff.ts'

/** A row of a diff. `left` and `right` are line indexes; a side without a line is `undefined`. */
export interface DiffRow {
  readonly left: number | undefined
  readonly right: number | undefined
  readonly isUnchanged: boolean
  /** In the unified layout: the line on the other side that this one is compared with, word by word. */
  readonly counterpart?: number | undefined
}

export interface LineDiff {
  readonly left: readonly string[]
  readonly right: readonly string[]
  /** Rows of the split layout: a removed line is next to the added line that replaces it. */
  readonly rows: readonly DiffRow[]
  readonly removedCount: number
  readonly addedCount: number
}

/** Lines are equal if `comparedText` returns the same for both. */
export function diffLines(
  leftText: string,
  rightText: string,
  comparedText: (line: string) => string = (line) => line,
): LineDiff {
  const left = splitLines(leftText)
  const right = splitLines(rightText)
  const lineIds = new Map<string, number>()
  const toIds = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const text = comparedText(line)
      const id = lineIds.get(text) ?? lineIds.size
      lineIds.set(text, id)
      return id
    })
  const { removed, added } = diffSequences(toIds(left), toIds(right))
  const rows: DiffRow[] = []
  let removedCount = 0
  let addedCount = 0
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const fromLeft = i
    const fromRight = j
    while (removed[i] === 1) i++
    while (added[j] === 1) j++
    removedCount += i - fromLeft
    addedCount += j - fromRight
    for (let n = 0; n < Math.max(i - fromLeft, j - fromRight); n++) {
      rows.push({
        left: fromLeft + n < i ? fromLeft + n : undefined,
        right: fromRight + n < j ? fromRight + n : undefined,
        isUnchanged: false,
      })
    }
    if (i < left.length && j < right.length) rows.push({ left: i++, right: j++, isUnchanged: true })
  }
  return { left, right, rows, removedCount, addedCount }
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** Rows of the unified layout: removed lines of a change first, then added lines. */
export function toUnified(rows: readonly DiffRow[]): DiffRow[] {
  const unifiedRows: DiffRow[] = []
  let pendingAdded: DiffRow[] = []
  const flush = (): void => {
    unifiedRows.push(...pendingAdded)
    pendingAdded = []
  }
  for (const row of rows) {
    if (row.isUnchanged) {
      flush()
      unifiedRows.push(row)
      continue
    }
    if (row.left !== undefined)
      unifiedRows.push({ left: row.left, right: undefined, isUnchanged: false, counterpart: row.right })
    if (row.right !== undefined)
      pendingAdded.push({ left: undefined, right: row.right, isUnchanged: false, counterpart: row.left })
  }
  flush()
  return unifiedRows
}
