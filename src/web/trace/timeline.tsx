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
import { type HeatKind, parseHeatKind } from './heat.ts'
import { HeatLegend } from './heat-legend.tsx'
import {
  MIN_SPAN_MS,
  moveWindow,
  panToShow,
  type TimeWindow,
  resizeWindow,
  zoomWindow,
} from './time-window.ts'
import { KindLegend } from './kind-legend.tsx'
import { drawTimeline, LANES_TOP, laneStep } from './timeline-drawing.ts'
import { barAt, layoutLanes } from './timeline-lanes.ts'
import styles from './timeline.module.css'
import type { TraceStore } from './trace-store.ts'
import type { HeatState } from './use-heat.ts'

const MAX_LANES = 9
const MIN_HEIGHT_PX = 24
/** Fractions of the visible time: how far a key moves the selected window, and its initial length. */
const KEY_STEP = 1 / 40
const KEY_LENGTH = 1 / 10
const KEY_ZOOM = 1.5
/** Zoom per wheel delta. Browsers report a pinch on a touchpad as Ctrl with the wheel. */
const WHEEL_ZOOM = 0.0015
const PINCH_ZOOM = 0.01

interface Props {
  readonly store: TraceStore
  readonly version: number
  readonly selected: string
  readonly window: TimeWindow | undefined
  readonly heatKind: HeatKind | undefined
  readonly heat: HeatState
  /** The element that handles keyboard input, so that shortcuts can focus it. */
  readonly keyboardTarget: RefObject<HTMLDivElement | null>
  readonly onWindow: (window: TimeWindow | undefined) => void
  readonly onHeat: (kind: HeatKind | undefined) => void
  readonly onSelect: (id: string) => void
}

/**
 * Overview of the whole trace: a bar per call, in lanes by depth. The wheel zooms, dragging selects a time window, a
 * click selects a call. The keyboard does the same when the timeline has the focus.
 */
export function Timeline(props: Props) {
  const { store, version, selected, window: selection, heatKind, heat, onWindow, onSelect } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const colorScheme = useComputedColorScheme('light')
  const lanes = useMemo(
    () => layoutLanes(store, MAX_LANES, heat.heat),
    [store, store.structureVersion, heat.heat],
  )
  const [zoomed, setZoomed] = useState<TimeWindow>()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  const [cursor, setCursor] = useState<{ readonly ms: number; readonly lane: number }>()
  const bounds: TimeWindow = {
    fromMs: store.startMs,
    toMs: Math.max(store.endMs, store.startMs + MIN_SPAN_MS),
  }
  const visible = zoomed ?? bounds
  const [width, setWidth] = useState(0)
  const step = laneStep(lanes.length)
  const height = Math.max(lanes.length, MIN_HEIGHT_PX / step) * step + LANES_TOP * 2
  const plot = props.keyboardTarget

  useEffect(() => {
    const element = plot.current
    if (element === null) return undefined
    const resizeObserver = new ResizeObserver(() => setWidth(element.clientWidth))
    resizeObserver.observe(element)
    // React registers passive wheel listeners, which cannot keep the page from scrolling or zooming.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const fraction = (event.clientX - box.left) / box.width
      setZoomed((before) => windowAfterWheel(before ?? boundsRef.current, boundsRef.current, fraction, event))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      resizeObserver.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [])
  const boundsRef = useRef(bounds)
  boundsRef.current = bounds

  useEffect(() => {
    const element = canvas.current
    if (element === null || width === 0) return
    drawTimeline(element, { lanes, visible, selected, isHeat: heat.heat !== undefined, width, height })
  }, [lanes, version, visible.fromMs, visible.toMs, selected, width, height, colorScheme])

  const timeAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect()
    return visible.fromMs + ((event.clientX - box.left) / box.width) * (visible.toMs - visible.fromMs)
  }
  const laneAt = (event: PointerEvent): number =>
    Math.floor((event.clientY - event.currentTarget.getBoundingClientRect().top - LANES_TOP) / step)
  const hovered = cursor === undefined ? undefined : barAt(lanes[cursor.lane], cursor.ms, visible)
  const finish = (event: PointerEvent): void => {
    if (drag === undefined) return
    setDrag(undefined)
    const fraction = Math.abs(drag.to - drag.from) / (visible.toMs - visible.fromMs)
    if (fraction > 0.01) {
      onWindow({ fromMs: Math.min(drag.from, drag.to), toMs: Math.max(drag.from, drag.to) })
      return
    }
    const hit = barAt(lanes[laneAt(event)], drag.to, visible)
    if (hit !== undefined) onSelect(hit.node.call.id)
  }
  const selectWindow = (next: TimeWindow): void => {
    onWindow(next)
    if (zoomed !== undefined) setZoomed(panToShow(zoomed, bounds, next))
  }
  const zoom = (factor: number): void => {
    const middle = selection === undefined ? visible : selection
    const fraction = ((middle.fromMs + middle.toMs) / 2 - visible.fromMs) / (visible.toMs - visible.fromMs)
    setZoomed(zoomWindow(visible, bounds, Math.max(0, Math.min(1, fraction)), factor))
  }
  const reset = (): void => {
    setZoomed(undefined)
    onWindow(undefined)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const span = visible.toMs - visible.fromMs
    const initial = { fromMs: visible.fromMs, toMs: visible.fromMs + span * KEY_LENGTH }
    const step = (event.key === 'ArrowLeft' ? -1 : 1) * span * KEY_STEP
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        if (selection === undefined) selectWindow(initial)
        else
          selectWindow(
            event.shiftKey ? resizeWindow(selection, bounds, step) : moveWindow(selection, bounds, step),
          )
        break
      case 'Home':
        selectWindow(moveWindow(selection ?? initial, bounds, Number.NEGATIVE_INFINITY))
        break
      case 'End':
        selectWindow(moveWindow(selection ?? initial, bounds, Number.POSITIVE_INFINITY))
        break
      case '+':
      case '=':
        zoom(1 / KEY_ZOOM)
        break
      case '-':
        zoom(KEY_ZOOM)
        break
      case 'Escape':
        // With nothing to reset, the page handles Escape.
        if (selection === undefined && zoomed === undefined) return
        reset()
        break
      default:
        return
    }
    event.preventDefault()
  }
  const toPercent = (ms: number): string =>
    `${((ms - visible.fromMs) / (visible.toMs - visible.fromMs)) * 100}%`
  const sinceStart = (ms: number): string => `+${formatDuration(Math.max(0, ms - store.startMs))}`
  const highlighted =
    drag === undefined
      ? selection
      : { fromMs: Math.min(drag.from, drag.to), toMs: Math.max(drag.from, drag.to) }
  return (
    <div className={styles.strip}>
      <div
        className={styles.plot}
        style={{ height }}
        // A click does not move the focus: the keyboard stays with the tree.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const at = timeAt(event)
          setDrag({ from: at, to: at })
        }}
        onPointerMove={(event) => {
          const at = timeAt(event)
          setCursor({ ms: at, lane: laneAt(event) })
          if (drag !== undefined) setDrag({ ...drag, to: at })
        }}
        onPointerUp={finish}
        onPointerLeave={() => setCursor(undefined)}
      >
        <canvas
          ref={canvas}
          className={styles.canvas}
          role="img"
          aria-label={`Timeline of ${store.size} calls over ${formatDuration(bounds.toMs - bounds.fromMs)}`}
        />
        {highlighted !== undefined && (
          <span
            className={styles.window}
            style={{
              left: toPercent(highlighted.fromMs),
              right: `calc(100% - ${toPercent(highlighted.toMs)})`,
            }}
          />
        )}
        {cursor !== undefined && (
          <span
            className={styles.cursor}
            // The label stays inside of the plot.
            data-side={cursor.ms > (visible.fromMs + visible.toMs) / 2 ? 'left' : 'right'}
            style={{ left: toPercent(cursor.ms) }}
          >
            <span className={styles.time}>
              {hovered === undefined
                ? sinceStart(cursor.ms)
                : `${hovered.node.call.name} · ${formatDuration(hovered.toMs - hovered.fromMs)}`}
            </span>
          </span>
        )}
        <div
          ref={plot}
          className={styles.keyboardTarget}
          role="slider"
          tabIndex={0}
          aria-label="Time window"
          aria-description="Arrow keys move the window, Shift with arrow keys resizes it, plus and minus zoom, Escape resets it"
          aria-valuemin={0}
          aria-valuemax={bounds.toMs - bounds.fromMs}
          aria-valuenow={Math.max(0, (selection?.fromMs ?? bounds.fromMs) - bounds.fromMs)}
          aria-valuetext={
            selection === undefined
              ? 'full trace'
              : `${sinceStart(selection.fromMs)} to ${sinceStart(selection.toMs)}`
          }
          onKeyDown={onKey}
        />
      </div>
      <div className={styles.axis}>
        <span className={styles.from}>
          {sinceStart(visible.fromMs)}
          {selection !== undefined && (
            <span className="soft">
              {sinceStart(selection.fromMs)} – {sinceStart(selection.toMs)}
            </span>
          )}
          {(selection !== undefined || zoomed !== undefined) && (
            <button type="button" className={styles.reset} onClick={reset}>
              Reset time window
            </button>
          )}
        </span>
        {heatKind === undefined ? (
          <KindLegend store={store} version={version} />
        ) : (
          <HeatLegend kind={heatKind} state={heat} />
        )}
        <SegmentedControl
          size="xs"
          aria-label="Timeline color"
          value={heatKind ?? 'kind'}
          onChange={(value) => props.onHeat(parseHeatKind(value))}
          data={[
            { value: 'kind', label: 'Kind' },
            { value: 'latency', label: 'Latency' },
            { value: 'cost', label: 'Cost' },
          ]}
        />
        <span>{sinceStart(visible.toMs)}</span>
      </div>
    </div>
  )
}

/** The visible window after a wheel event: zooms around the pointer, pans when tilted or with Shift. */
function windowAfterWheel(
  visible: TimeWindow,
  bounds: TimeWindow,
  fraction: number,
  event: WheelEvent,
): TimeWindow | undefined {
  const panDelta = event.shiftKey ? event.deltaY : event.deltaX
  const zoomSpeed = event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM
  // A wheel with Ctrl reports steps of about 100. One step zooms by at most a third.
  const factor = event.shiftKey ? 1 : Math.max(2 / 3, Math.min(1.5, Math.exp(event.deltaY * zoomSpeed)))
  const zoomed = zoomWindow(visible, bounds, fraction, factor)
  return zoomed === undefined
    ? undefined
    : moveWindow(zoomed, bounds, (panDelta / 1000) * (visible.toMs - visible.fromMs))
}
