import type { TimeWindow } from './time-window.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'

export interface TraceRow {
  readonly node: TraceNode
  readonly depth: number
  readonly isCollapsed: boolean
}

/** The rows of the tree that are not folded away, within a time if one was drawn. */
export function rowsOf(
  store: TraceStore,
  collapsed: ReadonlySet<string>,
  window: TimeWindow | undefined,
): TraceRow[] {
  const rows: TraceRow[] = []
  // By hand and not by recursion: a trace may be deeper than the stack.
  const open: { readonly nodes: readonly TraceNode[]; at: number }[] = [{ nodes: store.roots, at: 0 }]
  while (open.length > 0) {
    const level = open[open.length - 1]!
    const node = level.nodes[level.at++]
    if (node === undefined) {
      open.pop()
      continue
    }
    if (window !== undefined && !isWithin(node, window)) continue
    const isCollapsed = collapsed.has(node.call.id)
    rows.push({ node, depth: open.length - 1, isCollapsed })
    if (!isCollapsed && node.children.length > 0) open.push({ nodes: node.children, at: 0 })
  }
  return rows
}

function isWithin({ call }: TraceNode, { fromMs, toMs }: TimeWindow): boolean {
  return call.startMs <= toMs && (call.endMs ?? Number.POSITIVE_INFINITY) >= fromMs
}
