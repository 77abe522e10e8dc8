import { SegmentedControl, useComputedColorScheme } from '@mantine/core'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { formatDuration } from '../time/format.ts'
import { type HeatKind, readHeatKind } from './heat.ts'
import { HeatLegend } from './heat-legend.tsx'
import { moved, showing, type TimeWindow, widened, zoomed } from './time-window.ts'
import { drawTimeline, LANE_STEP, LANES_TOP } from './timeline-drawing.ts'
import { layOut } from './timeline-lanes.ts'
import styles from './timeline.module.css'
import type { TraceStore } from './trace-store.ts'
import type { HeatState } from './use-heat.ts'

const MOST_LANES = 9
/** Of what is seen: how far a key moves the chosen time, and how long it is at first. */
const KEY_STEP = 1 / 40
const KEY_LENGTH = 1 / 10
const KEY_ZOOM = 1.5
/** A turn of the wheel, and what fingers on a pad make of it, which browsers tell as Ctrl and the wheel. */
const WHEEL_ZOOM = 0.0015
const PINCH_ZOOM = 0.01

interface Props {
  readonly store: TraceStore
  readonly version: number
  readonly selected: string
  readonly window: TimeWindow | undefined
  readonly heatKind: HeatKind | undefined
  readonly heat: HeatState
  /** Where keys move the chosen time, to be focused from elsewhere. */
  readonly keys: RefObject<HTMLDivElement | null>
  readonly onWindow: (window: TimeWindow | undefined) => void
  readonly onHeat: (kind: HeatKind | undefined) => void
  readonly onSelect: (id: string) => void
}

/**
 * The whole trace in a strip, each call a line in the row of its depth. The wheel zooms, drawing over a time looks at it
 * alone, a click chooses a call. Keys do the same once it has the focus.
 */
export function Timeline(props: Props) {
  const { store, version, selected, window: drawn, heatKind, heat, onWindow, onSelect } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useComputedColorScheme('light')
  const lanes = useMemo(() => layOut(store, MOST_LANES, heat.heat), [store, store.shape, heat.heat])
  const [view, setView] = useState<TimeWindow>()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  const [needle, setNeedle] = useState<number>()
  const whole: TimeWindow = { fromMs: store.startMs, toMs: Math.max(store.endMs, store.startMs + 1) }
  const seen = view ?? whole
  const [width, setWidth] = useState(0)
  const height = Math.max(3, Math.min(MOST_LANES, lanes.length)) * LANE_STEP + LANES_TOP * 2
  const plot = props.keys

  useEffect(() => {
    const element = plot.current
    if (element === null) return undefined
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth))
    sizes.observe(element)
    // React listens to wheels passively, which would scroll or zoom the page too.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const share = (event.clientX - box.left) / box.width
      setView((before) => turned(before ?? wholeRef.current, wholeRef.current, share, event))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      sizes.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [])
  const wholeRef = useRef(whole)
  wholeRef.current = whole

  useEffect(() => {
    const element = canvas.current
    if (element === null || width === 0) return
    drawTimeline(element, { lanes, seen, selected, isHeat: heat.heat !== undefined, width, height })
  }, [lanes, version, seen.fromMs, seen.toMs, selected, width, height, scheme])

  const timeAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect()
    return seen.fromMs + ((event.clientX - box.left) / box.width) * (seen.toMs - seen.fromMs)
  }
  const finish = (event: PointerEvent): void => {
    if (drag === undefined) return
    setDrag(undefined)
    const share = Math.abs(drag.to - drag.from) / (seen.toMs - seen.fromMs)
    if (share > 0.01) {
      onWindow({ fromMs: Math.min(drag.from, drag.to), toMs: Math.max(drag.from, drag.to) })
      return
    }
    const box = event.currentTarget.getBoundingClientRect()
    const lane = lanes[Math.floor((event.clientY - box.top - LANES_TOP) / LANE_STEP)]
    const hit = lane?.bars.findLast(
      ({ fromMs, toMs }) =>
        fromMs <= drag.to && drag.to <= Math.max(toMs, fromMs + (seen.toMs - seen.fromMs) / 300),
    )
    if (hit !== undefined) onSelect(hit.node.call.id)
  }
  const choose = (next: TimeWindow): void => {
    onWindow(next)
    if (view !== undefined) setView(showing(view, whole, next))
  }
  const zoom = (factor: number): void => {
    const middle = drawn === undefined ? seen : drawn
    const share = ((middle.fromMs + middle.toMs) / 2 - seen.fromMs) / (seen.toMs - seen.fromMs)
    setView(zoomed(seen, whole, Math.max(0, Math.min(1, share)), factor))
  }
  const showAll = (): void => {
    setView(undefined)
    onWindow(undefined)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const span = seen.toMs - seen.fromMs
    const first = { fromMs: seen.fromMs, toMs: seen.fromMs + span * KEY_LENGTH }
    const step = (event.key === 'ArrowLeft' ? -1 : 1) * span * KEY_STEP
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        if (drawn === undefined) choose(first)
        else choose(event.shiftKey ? widened(drawn, whole, step) : moved(drawn, whole, step))
        break
      case 'Home':
        choose(moved(drawn ?? first, whole, Number.NEGATIVE_INFINITY))
        break
      case 'End':
        choose(moved(drawn ?? first, whole, Number.POSITIVE_INFINITY))
        break
      case '+':
      case '=':
        zoom(1 / KEY_ZOOM)
        break
      case '-':
        zoom(KEY_ZOOM)
        break
      case 'Escape':
        // With nothing to clear it is the page's.
        if (drawn === undefined && view === undefined) return
        showAll()
        break
      default:
        return
    }
    event.preventDefault()
  }
  const percent = (ms: number): string => `${((ms - seen.fromMs) / (seen.toMs - seen.fromMs)) * 100}%`
  const since = (ms: number): string => `+${formatDuration(Math.max(0, ms - store.startMs))}`
  const marked =
    drag === undefined ? drawn : { fromMs: Math.min(drag.from, drag.to), toMs: Math.max(drag.from, drag.to) }
  return (
    <div className={styles.strip}>
      <div
        className={styles.plot}
        style={{ height }}
        // A click is for the mouse: the keys stay with the tree.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const at = timeAt(event)
          setDrag({ from: at, to: at })
        }}
        onPointerMove={(event) => {
          const at = timeAt(event)
          setNeedle(at)
          if (drag !== undefined) setDrag({ ...drag, to: at })
        }}
        onPointerUp={finish}
        onPointerLeave={() => setNeedle(undefined)}
      >
        <canvas
          ref={canvas}
          className={styles.canvas}
          role="img"
          aria-label={`Timeline of ${store.size} calls over ${formatDuration(whole.toMs - whole.fromMs)}`}
        />
        {marked !== undefined && (
          <span
            className={styles.window}
            style={{ left: percent(marked.fromMs), right: `calc(100% - ${percent(marked.toMs)})` }}
          />
        )}
        {needle !== undefined && (
          <span className={styles.needle} style={{ left: percent(needle) }}>
            <span className={styles.time}>{since(needle)}</span>
          </span>
        )}
        <div
          ref={plot}
          className={styles.keys}
          role="slider"
          tabIndex={0}
          aria-label="Time that is shown"
          aria-description="Arrow keys move it, with Shift they widen or narrow it, plus and minus zoom, Escape shows the whole time"
          aria-valuemin={0}
          aria-valuemax={whole.toMs - whole.fromMs}
          aria-valuenow={Math.max(0, (drawn?.fromMs ?? whole.fromMs) - whole.fromMs)}
          aria-valuetext={
            drawn === undefined ? 'the whole time' : `${since(drawn.fromMs)} to ${since(drawn.toMs)}`
          }
          onKeyDown={onKey}
        />
      </div>
      <div className={styles.axis}>
        <span className={styles.from}>
          {since(seen.fromMs)}
          {drawn !== undefined && (
            <span className={styles.chosen}>
              {since(drawn.fromMs)} – {since(drawn.toMs)}
            </span>
          )}
          {(drawn !== undefined || view !== undefined) && (
            <button type="button" className={styles.reset} onClick={showAll}>
              Show the whole time
            </button>
          )}
        </span>
        {heatKind !== undefined && <HeatLegend kind={heatKind} state={heat} />}
        <SegmentedControl
          size="xs"
          className={styles.heat}
          aria-label="What the colours of the timeline tell"
          value={heatKind ?? 'time'}
          onChange={(value) => props.onHeat(readHeatKind(value))}
          data={[
            { value: 'time', label: 'Time' },
            { value: 'latency', label: 'Latency' },
            { value: 'cost', label: 'Cost' },
          ]}
        />
        <span>{since(seen.toMs)}</span>
      </div>
    </div>
  )
}

/** Around the pointer for a wheel, sideways for one that is tilted or held with Shift. */
function turned(
  seen: TimeWindow,
  whole: TimeWindow,
  share: number,
  event: WheelEvent,
): TimeWindow | undefined {
  const sideways = event.shiftKey ? event.deltaY : event.deltaX
  const pace = event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM
  // A wheel with Ctrl has notches of a hundred: no more than a third at once.
  const factor = event.shiftKey ? 1 : Math.max(2 / 3, Math.min(1.5, Math.exp(event.deltaY * pace)))
  const near = zoomed(seen, whole, share, factor)
  return near === undefined ? undefined : moved(near, whole, (sideways / 1000) * (seen.toMs - seen.fromMs))
}
