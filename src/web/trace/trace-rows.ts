import type { TreeRow } from '../ui/tree-rows.ts'
import type { TimeWindow } from './time-window.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'

export interface TraceRow extends TreeRow {
  readonly node: TraceNode
}

/** The rows of the tree that are not collapsed, limited to a time window if one is selected. */
export function visibleRows(
  store: TraceStore,
  collapsed: ReadonlySet<string>,
  window: TimeWindow | undefined,
): TraceRow[] {
  const rows: TraceRow[] = []
  // Without recursion: a trace may be deeper than the call stack.
  const stack: { readonly nodes: readonly TraceNode[]; at: number }[] = [{ nodes: store.roots, at: 0 }]
  while (stack.length > 0) {
    const level = stack[stack.length - 1]!
    const node = level.nodes[level.at++]
    if (node === undefined) {
      stack.pop()
      continue
    }
    if (window !== undefined && !overlaps(node, window)) continue
    const { id, name } = node.call
    const isCollapsed = collapsed.has(id)
    const childCount = node.children.length
    rows.push({ id, name, node, depth: stack.length - 1, childCount, isCollapsed })
    if (!isCollapsed && childCount > 0) stack.push({ nodes: node.children, at: 0 })
  }
  return rows
}

function overlaps({ call }: TraceNode, { fromMs, toMs }: TimeWindow): boolean {
  return call.startMs <= toMs && (call.endMs ?? Number.POSITIVE_INFINITY) >= fromMs
}
