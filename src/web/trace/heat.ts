import type { TraceNode, TraceStore } from './trace-store.ts'

/** What the colours of the timeline may tell beside the kinds of calls. */
export type HeatKind = 'latency' | 'cost'

/** How much of a trace's time or money each of its calls accounts for by itself, without those that it called. */
export interface Heat {
  readonly kind: HeatKind
  readonly own: ReadonlyMap<string, number>
  /** The largest of them. */
  readonly most: number
}

export const HEAT_LEVELS = 5

export function readHeatKind(text: string | undefined): HeatKind | undefined {
  return text === 'latency' || text === 'cost' ? text : undefined
}

export function heatOf(kind: HeatKind, own: ReadonlyMap<string, number>): Heat {
  let most = 0
  for (const value of own.values()) most = Math.max(most, value)
  return { kind, own, most }
}

/** From 0, little, to 4, as much as the most. By the root, so that not only the hottest of all stands out. */
export function heatLevel({ own, most }: Heat, id: string): number {
  const value = own.get(id) ?? 0
  if (value <= 0 || most <= 0) return 0
  return Math.min(HEAT_LEVELS - 1, Math.floor(Math.sqrt(value / most) * HEAT_LEVELS))
}

/** Of each call the time in which none that it called ran. */
export function ownTimes(store: TraceStore): ReadonlyMap<string, number> {
  const own = new Map<string, number>()
  for (const { call, children } of store.nodes()) {
    const endMs = call.endMs ?? store.endMs
    let covered = 0
    let reached = call.startMs
    // In the order of their starts; what runs at the same time counts once.
    for (const { call: child } of children) {
      const from = Math.max(reached, child.startMs)
      const to = Math.min(endMs, child.endMs ?? store.endMs)
      if (to <= from) continue
      covered += to - from
      reached = to
    }
    own.set(call.id, Math.max(0, endMs - call.startMs - covered))
  }
  return own
}

/**
 * Of each call the cost that none that it called accounts for. Some SDKs add up along the tree, others tell each cost
 * once: a call costs what it says or what those below it cost, whichever is more.
 */
export function ownCosts(store: TraceStore, costs: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inOrder: TraceNode[] = [...store.roots]
  // Callers before those that they called; by hand, as a trace may be deeper than the stack.
  for (let i = 0; i < inOrder.length; i++) for (const child of inOrder[i]!.children) inOrder.push(child)
  const own = new Map<string, number>()
  const whole = new Map<string, number>()
  for (const { call, children } of inOrder.reverse()) {
    let below = 0
    for (const child of children) below += whole.get(child.call.id) ?? 0
    const cost = Math.max(costs.get(call.id) ?? 0, below)
    whole.set(call.id, cost)
    // Sums of fractions are never quite even.
    own.set(call.id, cost - below > cost * 1e-9 ? cost - below : 0)
  }
  return own
}
