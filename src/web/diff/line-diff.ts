import { diffSequences } from './sequence-diff.ts'

/** A line of a comparison: on one side, on the other, or on both. Numbers are places in the texts. */
export interface DiffRow {
  readonly left: number | undefined
  readonly right: number | undefined
  readonly isSame: boolean
  /** In one column: the line on the other side that this one is compared with, word by word. */
  readonly partner?: number | undefined
}

export interface LineDiff {
  readonly left: readonly string[]
  readonly right: readonly string[]
  /** Side by side: a line that went stands beside one that came in its place. */
  readonly rows: readonly DiffRow[]
  readonly goneCount: number
  readonly addedCount: number
}

export function diffLines(leftText: string, rightText: string): LineDiff {
  const left = linesOf(leftText)
  const right = linesOf(rightText)
  const numbers = new Map<string, number>()
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size
      numbers.set(line, number)
      return number
    })
  const { gone, added } = diffSequences(numbered(left), numbered(right))
  const rows: DiffRow[] = []
  let goneCount = 0
  let addedCount = 0
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const fromLeft = i
    const fromRight = j
    while (gone[i] === 1) i++
    while (added[j] === 1) j++
    goneCount += i - fromLeft
    addedCount += j - fromRight
    for (let n = 0; n < Math.max(i - fromLeft, j - fromRight); n++) {
      rows.push({
        left: fromLeft + n < i ? fromLeft + n : undefined,
        right: fromRight + n < j ? fromRight + n : undefined,
        isSame: false,
      })
    }
    if (i < left.length && j < right.length) rows.push({ left: i++, right: j++, isSame: true })
  }
  return { left, right, rows, goneCount, addedCount }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** The same in one column: of each change first what went, then what came. */
export function unified(rows: readonly DiffRow[]): DiffRow[] {
  const out: DiffRow[] = []
  let came: DiffRow[] = []
  const flush = (): void => {
    out.push(...came)
    came = []
  }
  for (const row of rows) {
    if (row.isSame) {
      flush()
      out.push(row)
      continue
    }
    if (row.left !== undefined)
      out.push({ left: row.left, right: undefined, isSame: false, partner: row.right })
    if (row.right !== undefined)
      came.push({ left: undefined, right: row.right, isSame: false, partner: row.left })
  }
  flush()
  return out
}
