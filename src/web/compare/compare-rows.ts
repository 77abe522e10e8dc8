import type { TreeRow } from '../ui/tree-rows.ts'
import { type AlignedNode, alignmentStatus } from './tree-alignment.ts'
import { type ComparedCall, payloadDifferences } from './compared-call.ts'

/** A row of the comparison tree: one node of the merged tree. Its id is the id of the node's first call. */
export interface CompareRow extends TreeRow {
  readonly node: AlignedNode<ComparedCall>
  /** Whether any other call at this node differs from the baseline. */
  readonly isDifferent: boolean
}

function rowId({ calls }: AlignedNode<ComparedCall>): string {
  return calls.find((call) => call !== undefined)?.item.id ?? ''
}

/** Returns the rows in tree order, without the descendants of collapsed rows. */
export function compareRows(
  root: AlignedNode<ComparedCall>,
  count: number,
  collapsed: ReadonlySet<string>,
  includesVolatile: boolean,
): CompareRow[] {
  const rows: CompareRow[] = []
  const pending = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next
    const id = rowId(node)
    const isCollapsed = collapsed.has(id)
    rows.push({
      id,
      name: node.key,
      node,
      depth,
      childCount: node.children.length,
      isCollapsed,
      isDifferent: isDifferent(node, count, includesVolatile),
    })
    if (isCollapsed) continue
    for (const child of node.children.toReversed()) pending.push({ node: child, depth: depth + 1 })
  }
  return rows
}

function isDifferent(node: AlignedNode<ComparedCall>, count: number, includesVolatile: boolean): boolean {
  const [base] = node.calls
  for (let n = 1; n < count; n++) {
    const status = alignmentStatus(node, n)
    if (status === 'absent') continue
    const call = node.calls[n]
    if (status !== 'same' || base === undefined || call === undefined) return true
    const { inputs, output } = payloadDifferences(base, call, includesVolatile)
    if (inputs || output) return true
  }
  return false
}

/** Returns the rows with a difference and their ancestors. */
export function filterDifferent(rows: readonly CompareRow[]): CompareRow[] {
  const kept = new Set<AlignedNode<ComparedCall>>()
  for (const { node, isDifferent } of rows) {
    if (!isDifferent) continue
    for (let at: typeof node | undefined = node; at !== undefined && !kept.has(at); at = at.parent)
      kept.add(at)
  }
  return rows.filter(({ node, depth }) => depth === 0 || kept.has(node))
}

/** Counts of nodes that differ between the baseline and one other tree. */
export interface ChangeCounts {
  readonly added: number
  readonly removed: number
  readonly moved: number
  /** Calls whose inputs or output differ. */
  readonly changed: number
}

export function countChanges(
  rows: readonly CompareRow[],
  n: number,
  includesVolatile: boolean,
): ChangeCounts {
  const counts = { added: 0, removed: 0, moved: 0, changed: 0 }
  for (const { node } of rows) {
    const status = alignmentStatus(node, n)
    if (status === 'added' || status === 'removed' || status === 'moved') counts[status]++
    const [base] = node.calls
    const call = node.calls[n]
    if (base === undefined || call === undefined) continue
    const { inputs, output } = payloadDifferences(base, call, includesVolatile)
    if (inputs || output) counts.changed++
  }
  return counts
}
