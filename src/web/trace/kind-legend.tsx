import { type CSSProperties, useMemo } from 'react'
import { KIND_COLOR_LABELS, KIND_COLORS, type KindColor } from '../call/call-kind.ts'
import styles from './kind-legend.module.css'
import type { TraceStore } from './trace-store.ts'

const LEGEND: readonly { readonly color: UsedColor; readonly label: string; readonly swatch: string }[] = [
  ...(Object.keys(KIND_COLOR_LABELS) as KindColor[]).map((color) => ({
    color,
    label: KIND_COLOR_LABELS[color],
    swatch: `var(--kind-${color})`,
  })),
  { color: 'error', label: 'error', swatch: 'var(--bar-bad)' },
  { color: 'running', label: 'running', swatch: 'var(--accent-2)' },
]

/** Legend of the colors of the timeline: the kinds of calls that the trace has, errors and running calls. */
export function KindLegend({ store, version }: { readonly store: TraceStore; readonly version: number }) {
  const used = useMemo(() => usedColors(store), [store, version])
  return (
    <ul className={styles.legend} aria-label="Timeline colors">
      {LEGEND.filter(({ color }) => used.has(color)).map(({ color, label, swatch }) => (
        <li key={color} style={{ '--swatch': swatch } as CSSProperties}>
          {label}
        </li>
      ))}
    </ul>
  )
}

type UsedColor = KindColor | 'error' | 'running'

function usedColors(store: TraceStore): ReadonlySet<UsedColor> {
  const used = new Set<UsedColor>()
  for (const { call, kind } of store.nodes())
    used.add(call.hasError ? 'error' : call.endMs === undefined ? 'running' : KIND_COLORS[kind])
  return used
}
