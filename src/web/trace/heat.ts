import type { TraceNode, TraceStore } from './trace-store.ts'

/** Metric that the timeline colors show instead of the call kind. */
export type HeatKind = 'latency' | 'cost'

/** Self time or self cost of each call of a trace. */
export interface Heat {
  readonly kind: HeatKind
  readonly selfValues: ReadonlyMap<string, number>
  /** The largest value. */
  readonly max: number
}

export const HEAT_LEVELS = 5

export function parseHeatKind(text: string | undefined): HeatKind | undefined {
  return text === 'latency' || text === 'cost' ? text : undefined
}

export function createHeat(kind: HeatKind, selfValues: ReadonlyMap<string, number>): Heat {
  let max = 0
  for (const value of selfValues.values()) max = Math.max(max, value)
  return { kind, selfValues, max }
}

/** Heat level from 0 (low) to 4 (maximum). A square-root scale, so that more than the hottest call stands out. */
export function heatLevel({ selfValues, max }: Heat, id: string): number {
  const value = selfValues.get(id) ?? 0
  if (value <= 0 || max <= 0) return 0
  return Math.min(HEAT_LEVELS - 1, Math.floor(Math.sqrt(value / max) * HEAT_LEVELS))
}

/** Self time of each call: its duration without the time in which a child ran. */
export function selfTimes(store: TraceStore): ReadonlyMap<string, number> {
  const selfValues = new Map<string, number>()
  for (const { call, children } of store.nodes()) {
    const endMs = call.endMs ?? store.endMs
    let covered = 0
    let coveredUntil = call.startMs
    // Children are ordered by start. Overlapping time counts once.
    for (const { call: child } of children) {
      const from = Math.max(coveredUntil, child.startMs)
      const to = Math.min(endMs, child.endMs ?? store.endMs)
      if (to <= from) continue
      covered += to - from
      coveredUntil = to
    }
    selfValues.set(call.id, Math.max(0, endMs - call.startMs - covered))
  }
  return selfValues
}

/**
 * Self cost of each call: its cost without the cost of its children. Some SDKs add up costs along the tree, others
 * report each cost once. So the total cost of a call is its reported cost or the sum of its children, whichever is larger.
 */
export function selfCosts(
  store: TraceStore,
  costs: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const parentsFirst: TraceNode[] = [...store.roots]
  // Breadth-first without recursion: a trace may be deeper than the call stack.
  for (let i = 0; i < parentsFirst.length; i++)
    for (const child of parentsFirst[i]!.children) parentsFirst.push(child)
  const selfValues = new Map<string, number>()
  const totals = new Map<string, number>()
  for (const { call, children } of parentsFirst.reverse()) {
    let childrenCost = 0
    for (const child of children) childrenCost += totals.get(child.call.id) ?? 0
    const cost = Math.max(costs.get(call.id) ?? 0, childrenCost)
    totals.set(call.id, cost)
    // Ignores rounding errors of floating-point sums.
    selfValues.set(call.id, cost - childrenCost > cost * 1e-9 ? cost - childrenCost : 0)
  }
  return selfValues
}
