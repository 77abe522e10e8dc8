import { type Heat, HEAT_LEVELS, heatLevel } from './heat.ts'
import type { TimeWindow } from './time-window.ts'
import type { TraceNode, TraceStore } from './trace-store.ts'

interface TimelineBar {
  readonly node: TraceNode
  readonly fromMs: number
  readonly toMs: number
  /** Heat level; 0 without heat. */
  readonly level: number
}

/** The calls of one depth. */
export interface Lane {
  /** Ordered by start. */
  readonly bars: readonly TimelineBar[]
  /** In drawing order: the hottest last, so that nothing covers them. */
  readonly layers: readonly (readonly TimelineBar[])[]
}

/** Groups calls into lanes by depth. Calls deeper than `maxLanes` share the last lane. */
export function layoutLanes(store: TraceStore, maxLanes: number, heat: Heat | undefined): readonly Lane[] {
  const lanes: TimelineBar[][] = []
  const stack: { readonly node: TraceNode; readonly depth: number }[] = store.roots.map((node) => ({
    node,
    depth: 0,
  }))
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth } = next
    const { call } = node
    const lane = (lanes[depth] ??= [])
    lane.push({
      node,
      fromMs: call.startMs,
      toMs: call.endMs ?? store.endMs,
      level: heat === undefined ? 0 : heatLevel(heat, call.id),
    })
    const childDepth = Math.min(depth + 1, maxLanes - 1)
    for (const child of node.children) stack.push({ node: child, depth: childDepth })
  }
  return lanes.map((bars) => {
    bars.sort((a, b) => a.fromMs - b.fromMs)
    return { bars, layers: heat === undefined ? [bars] : heatLayers(bars) }
  })
}

function heatLayers(bars: readonly TimelineBar[]): readonly (readonly TimelineBar[])[] {
  const layers: TimelineBar[][] = Array.from({ length: HEAT_LEVELS }, () => [])
  for (const bar of bars) layers[bar.level]?.push(bar)
  return layers
}

/** The topmost bar at a time. Bars that are only a few pixels wide are easier to hit than they look. */
export function barAt(lane: Lane | undefined, ms: number, visible: TimeWindow): TimelineBar | undefined {
  const tolerance = (visible.toMs - visible.fromMs) / 300
  return lane?.bars.findLast(({ fromMs, toMs }) => fromMs <= ms && ms <= Math.max(toMs, fromMs + tolerance))
}
