import { KIND_COLORS } from '../call/call-kind.ts'
import { HEAT_LEVELS } from './heat.ts'
import type { TimeWindow } from './time-window.ts'
import type { Lane } from './timeline-lanes.ts'

const LANE_HEIGHT = 6
/** Distance between the tops of two lanes, in pixels. */
export const LANE_STEP = LANE_HEIGHT + 2
export const LANES_TOP = 3

interface Drawing {
  readonly lanes: readonly Lane[]
  readonly visible: TimeWindow
  readonly selected: string
  readonly isHeat: boolean
  readonly width: number
  readonly height: number
}

/** Draws the lanes of the timeline on a canvas. */
export function drawTimeline(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { lanes, visible, selected, isHeat, width, height } = drawing
  const scale = window.devicePixelRatio
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')
  if (context === null) return
  const colors = getComputedStyle(canvas)
  const color = (name: string): string => colors.getPropertyValue(name)
  const kindColors = {
    llm: color('--kind-llm'),
    tool: color('--kind-tool'),
    agent: color('--kind-agent'),
    retrieval: color('--kind-retrieval'),
    check: color('--kind-check'),
    other: color('--kind-other'),
  }
  const heatColors = Array.from({ length: HEAT_LEVELS }, (_, level) => color(`--heat-${level}`))
  const errorColor = color('--bar-bad')
  const runningColor = color('--weld')
  const outlineColor = color('--ink')
  context.scale(scale, scale)
  context.clearRect(0, 0, width, height)
  const perMs = width / (visible.toMs - visible.fromMs)
  const outline = { x: 0, y: 0, length: -1 }
  lanes.forEach(({ layers }, depth) => {
    const y = LANES_TOP + depth * LANE_STEP
    for (const layer of layers) {
      let drawnTo = Number.NEGATIVE_INFINITY
      for (const { node, fromMs, toMs, level } of layer) {
        if (fromMs > visible.toMs) break
        if (toMs < visible.fromMs) continue
        const { call, kind } = node
        const x = (fromMs - visible.fromMs) * perMs
        const length = Math.max(1.5, (toMs - fromMs) * perMs - 0.5)
        const isSelected = call.id === selected
        // One of many bars that share a pixel is enough. The selected call is always drawn; without heat, errors too.
        if (x + length < drawnTo + 0.5 && !isSelected && (isHeat || !call.hasError)) continue
        drawnTo = Math.max(drawnTo, x + length)
        context.globalAlpha = isHeat || isSelected ? 1 : 0.72
        if (isHeat) context.fillStyle = heatColors[level] ?? ''
        else
          context.fillStyle = call.hasError
            ? errorColor
            : call.endMs === undefined
              ? runningColor
              : kindColors[KIND_COLORS[kind]]
        context.fillRect(x, y, length, LANE_HEIGHT)
        if (isSelected) Object.assign(outline, { x, y, length })
      }
    }
  })
  if (outline.length < 0) return
  context.globalAlpha = 1
  context.strokeStyle = outlineColor
  context.lineWidth = 1.5
  context.strokeRect(outline.x - 1, outline.y - 1, outline.length + 2, LANE_HEIGHT + 2)
}
