import { type AlignedNode, placeOf } from './align.ts'
import { type ComparedCall, differs } from './compared-call.ts'

/** A place of the structure as a row shows it. */
export interface CompareRow {
  /** The id of the first call that stands there. */
  readonly id: string
  readonly node: AlignedNode<ComparedCall>
  readonly depth: number
  readonly isCollapsed: boolean
  /** Whether something there differs between the first call and another. */
  readonly isDifferent: boolean
}

export function rowId({ calls }: AlignedNode<ComparedCall>): string {
  return calls.find((call) => call !== undefined)?.facts.id ?? ''
}

/** The places in order, without those below what is folded. */
export function compareRows(
  root: AlignedNode<ComparedCall>,
  count: number,
  folded: ReadonlySet<string>,
): CompareRow[] {
  const rows: CompareRow[] = []
  const open = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    const id = rowId(node)
    const isCollapsed = folded.has(id)
    rows.push({ id, node, depth, isCollapsed, isDifferent: isDifferent(node, count) })
    if (isCollapsed) continue
    for (const child of node.children.toReversed()) open.push({ node: child, depth: depth + 1 })
  }
  return rows
}

function isDifferent(node: AlignedNode<ComparedCall>, count: number): boolean {
  const [base] = node.calls
  for (let n = 1; n < count; n++) {
    const place = placeOf(node, n)
    if (place === 'absent') continue
    const call = node.calls[n]
    if (place !== 'same' || base === undefined || call === undefined) return true
    const { inputs, output } = differs(base, call)
    if (inputs || output) return true
  }
  return false
}

/** Rows with a difference, and those above them. */
export function onlyDifferent(rows: readonly CompareRow[]): CompareRow[] {
  const wanted = new Set<AlignedNode<ComparedCall>>()
  for (const { node, isDifferent } of rows) {
    if (!isDifferent) continue
    for (let up: typeof node | undefined = node; up !== undefined && !wanted.has(up); up = up.parent)
      wanted.add(up)
  }
  return rows.filter(({ node, depth }) => depth === 0 || wanted.has(node))
}

/** How many places were added, removed and moved, and how many have other text, by what number of tree. */
export interface StructureCount {
  readonly added: number
  readonly removed: number
  readonly moved: number
  readonly other: number
}

export function countPlaces(rows: readonly CompareRow[], n: number): StructureCount {
  const count = { added: 0, removed: 0, moved: 0, other: 0 }
  for (const { node } of rows) {
    const place = placeOf(node, n)
    if (place === 'added' || place === 'removed' || place === 'moved') count[place]++
    const [base] = node.calls
    const call = node.calls[n]
    if (base === undefined || call === undefined) continue
    const { inputs, output } = differs(base, call)
    if (inputs || output) count.other++
  }
  return count
}
