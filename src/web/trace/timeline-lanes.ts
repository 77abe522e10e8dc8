import { type Heat, HEAT_LEVELS, heatLevel } from './heat.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'

interface TimelineBar {
  readonly node: TraceNode
  readonly fromMs: number
  readonly toMs: number
  /** Of its heat; 0 where none is wanted. */
  readonly level: number
}

/** The calls of one depth. */
export interface Lane {
  /** In the order of their starts. */
  readonly bars: readonly TimelineBar[]
  /** As they are drawn, one over the other: the hottest last, so that nothing hides them. */
  readonly layers: readonly (readonly TimelineBar[])[]
}

/** Calls by depth; those that are too deep for the strip share its last row. */
export function layOut(store: TraceStore, mostLanes: number, heat: Heat | undefined): readonly Lane[] {
  const lanes: TimelineBar[][] = []
  const open: { readonly node: TraceNode; readonly depth: number }[] = store.roots.map((node) => ({
    node,
    depth: 0,
  }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    const { call } = node
    const lane = (lanes[depth] ??= [])
    lane.push({
      node,
      fromMs: call.startMs,
      toMs: call.endMs ?? store.endMs,
      level: heat === undefined ? 0 : heatLevel(heat, call.id),
    })
    const below = Math.min(depth + 1, mostLanes - 1)
    for (const child of node.children) open.push({ node: child, depth: below })
  }
  return lanes.map((bars) => {
    bars.sort((a, b) => a.fromMs - b.fromMs)
    return { bars, layers: heat === undefined ? [bars] : layersOf(bars) }
  })
}

function layersOf(bars: readonly TimelineBar[]): readonly (readonly TimelineBar[])[] {
  const layers: TimelineBar[][] = Array.from({ length: HEAT_LEVELS }, () => [])
  for (const bar of bars) layers[bar.level]?.push(bar)
  return layers
}
