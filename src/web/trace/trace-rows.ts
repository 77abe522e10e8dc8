import type { TimeWindow } from './time-window.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'

export interface TraceRow {
  readonly node: TraceNode
  readonly depth: number
  readonly isCollapsed: boolean
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
    const isCollapsed = collapsed.has(node.call.id)
    rows.push({ node, depth: stack.length - 1, isCollapsed })
    if (!isCollapsed && node.children.length > 0) stack.push({ nodes: node.children, at: 0 })
  }
  return rows
}

function overlaps({ call }: TraceNode, { fromMs, toMs }: TimeWindow): boolean {
  return call.startMs <= toMs && (call.endMs ?? Number.POSITIVE_INFINITY) >= fromMs
}
