import { KIND_COLORS } from '../call/call-kind.ts'
import { HEAT_LEVELS } from './heat.ts'
import type { TimeWindow } from './time-window.ts'
import type { Lane } from './timeline-lanes.ts'

export const LANES_TOP = 3
const LANE_GAP = 2
/** Up to this number of lanes, the bars are high enough for names. */
const NAMED_LANES = 5
const NAMED_HEIGHT = 15
const PLAIN_HEIGHT = 6
/** Shorter bars have no name. */
const MIN_NAMED_PX = 36

function laneHeight(lanes: number): number {
  return lanes <= NAMED_LANES ? NAMED_HEIGHT : PLAIN_HEIGHT
}

/** Distance between the tops of two lanes, in pixels. */
export function laneStep(lanes: number): number {
  return laneHeight(lanes) + LANE_GAP
}

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
  const runningColor = color('--accent-2')
  const outlineColor = color('--ink')
  context.scale(scale, scale)
  context.clearRect(0, 0, width, height)
  const barHeight = laneHeight(lanes.length)
  const nameColor = color('--on-kind')
  context.font = `11px ${colors.fontFamily}`
  context.textBaseline = 'middle'
  const perMs = width / (visible.toMs - visible.fromMs)
  const outline = { x: 0, y: 0, length: -1 }
  lanes.forEach(({ layers }, depth) => {
    const y = LANES_TOP + depth * laneStep(lanes.length)
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
        context.globalAlpha = isHeat || isSelected || barHeight === NAMED_HEIGHT ? 1 : 0.72
        if (isHeat) context.fillStyle = heatColors[level] ?? ''
        else
          context.fillStyle = call.hasError
            ? errorColor
            : call.endMs === undefined
              ? runningColor
              : kindColors[KIND_COLORS[kind]]
        context.fillRect(x, y, length, barHeight)
        // Heat colors reach from light to dark, and no color of text is readable on all of them.
        if (barHeight === NAMED_HEIGHT && length >= MIN_NAMED_PX && !isHeat) {
          const left = Math.max(x, 0)
          context.fillStyle = nameColor
          drawName(context, call.name, left + 5, y + barHeight / 2 + 0.5, x + length - left - 8)
        }
        if (isSelected) Object.assign(outline, { x, y, length })
      }
    }
  })
  if (outline.length < 0) return
  context.globalAlpha = 1
  context.strokeStyle = outlineColor
  context.lineWidth = 1.5
  context.strokeRect(outline.x - 1, outline.y - 1, outline.length + 2, barHeight + 2)
}

/** Draws a text, cut to the width. */
function drawName(
  context: CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  width: number,
): void {
  // About six pixels per character.
  const text = name.slice(0, Math.ceil(width / 3))
  context.save()
  context.beginPath()
  context.rect(x, y - NAMED_HEIGHT / 2, width, NAMED_HEIGHT)
  context.clip()
  context.fillText(text, x, y)
  context.restore()
}
