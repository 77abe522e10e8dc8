import { HEAT_LEVELS } from './heat.ts'
import type { TimeWindow } from './time-window.ts'
import type { Lane } from './timeline-lanes.ts'

const LANE_HEIGHT = 6
/** From the top of one lane to that of the next. */
export const LANE_STEP = LANE_HEIGHT + 2
export const LANES_TOP = 3

interface Drawing {
  readonly lanes: readonly Lane[]
  readonly seen: TimeWindow
  readonly selected: string
  readonly isHeat: boolean
  readonly width: number
  readonly height: number
}

export function drawTimeline(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { lanes, seen, selected, isHeat, width, height } = drawing
  const scale = window.devicePixelRatio
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')
  if (context === null) return
  const colors = getComputedStyle(canvas)
  const color = (name: string): string => colors.getPropertyValue(name)
  const ofKind = {
    llm: color('--kind-llm'),
    tool: color('--kind-tool'),
    agent: color('--kind-agent'),
    retrieval: color('--kind-retrieval'),
    op: color('--kind-other'),
  }
  const ofHeat = Array.from({ length: HEAT_LEVELS }, (_, level) => color(`--heat-${level}`))
  const bad = color('--bar-bad')
  const running = color('--weld')
  const ink = color('--ink')
  context.scale(scale, scale)
  context.clearRect(0, 0, width, height)
  const perMs = width / (seen.toMs - seen.fromMs)
  const outline = { x: 0, y: 0, length: -1 }
  lanes.forEach(({ layers }, depth) => {
    const y = LANES_TOP + depth * LANE_STEP
    for (const layer of layers) {
      let drawnTo = Number.NEGATIVE_INFINITY
      for (const { node, fromMs, toMs, level } of layer) {
        if (fromMs > seen.toMs) break
        if (toMs < seen.fromMs) continue
        const { call, kind } = node
        const x = (fromMs - seen.fromMs) * perMs
        const length = Math.max(1.5, (toMs - fromMs) * perMs - 0.5)
        const isSelected = call.id === selected
        // Of thousands that share a pixel one is enough; what failed is always drawn.
        if (x + length < drawnTo + 0.5 && !isSelected && (isHeat || !call.hasError)) continue
        drawnTo = Math.max(drawnTo, x + length)
        context.globalAlpha = isHeat || isSelected ? 1 : 0.72
        if (isHeat) context.fillStyle = ofHeat[level] ?? ''
        else context.fillStyle = call.hasError ? bad : call.endMs === undefined ? running : ofKind[kind]
        context.fillRect(x, y, length, LANE_HEIGHT)
        if (isSelected) Object.assign(outline, { x, y, length })
      }
    }
  })
  if (outline.length < 0) return
  context.globalAlpha = 1
  context.strokeStyle = ink
  context.lineWidth = 1.5
  context.strokeRect(outline.x - 1, outline.y - 1, outline.length + 2, LANE_HEIGHT + 2)
}
