import { useMemo } from 'react'
import { KIND_COLOR_LABELS, KIND_COLORS, type KindColor } from '../call/call-kind.ts'
import styles from './kind-legend.module.css'
import type { TraceStore } from './trace-store.ts'

const ALL = Object.keys(KIND_COLOR_LABELS) as KindColor[]

/** Legend of the colors of the timeline: the kinds of calls that the trace has, errors and running calls. */
export function KindLegend({ store, version }: { readonly store: TraceStore; readonly version: number }) {
  const used = useMemo(() => usedColors(store), [store, version])
  return (
    <ul className={styles.legend} aria-label="Timeline colors">
      {ALL.filter((color) => used.has(color)).map((color) => (
        <li key={color} data-color={color}>
          {KIND_COLOR_LABELS[color]}
        </li>
      ))}
      {used.has('error') && <li data-color="error">error</li>}
      {used.has('running') && <li data-color="running">running</li>}
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
