/** Width limits and keyboard resizing of the trace drawer, in pixels. */

export const MIN_WIDTH = 420
/** Part of the list that stays visible next to the drawer. */
const MIN_LIST_WIDTH = 80
const STEP = 24
const LONG_STEP = 120

export function maxWidth(windowWidth: number): number {
  return Math.max(MIN_WIDTH, windowWidth - MIN_LIST_WIDTH)
}

/** The width after a key press: the left edge follows the arrow. `undefined` if the key does not resize. */
export function widthAfterKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  width: number,
  windowWidth: number,
): number | undefined {
  const step = shiftKey ? LONG_STEP : STEP
  const max = maxWidth(windowWidth)
  switch (key) {
    case 'ArrowLeft':
      return Math.min(max, width + step)
    case 'ArrowRight':
      return Math.max(MIN_WIDTH, width - step)
    case 'Home':
      return MIN_WIDTH
    case 'End':
      return max
    default:
      return undefined
  }
}
