export const NARROWEST = 420
/** Of the list beside it so much stays in view. */
const LIST_LEFT = 80
const STEP = 24
const LONG_STEP = 120

export function widest(windowWidth: number): number {
  return Math.max(NARROWEST, windowWidth - LIST_LEFT)
}

/** What a key makes of the width of a drawer at the right, whose edge goes where the arrow points; undefined: nothing. */
export function keyedWidth(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  width: number,
  windowWidth: number,
): number | undefined {
  const step = shiftKey ? LONG_STEP : STEP
  const most = widest(windowWidth)
  switch (key) {
    case 'ArrowLeft':
      return Math.min(most, width + step)
    case 'ArrowRight':
      return Math.max(NARROWEST, width - step)
    case 'Home':
      return NARROWEST
    case 'End':
      return most
    default:
      return undefined
  }
}
