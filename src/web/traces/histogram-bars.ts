/** The lowest bar that is visible. A single call among thousands has it. */
const MIN_HEIGHT = 2
/** A line that is seen, and of a low bar only a part. */
const MIN_ERROR_HEIGHT = 1

/**
 * The heights of a bar and of its errors. The errors have the same part of the bar as of its calls: a bar that is raised to
 * be visible is not all red because of one error.
 */
export function barHeights(
  { count, errors }: { readonly count: number; readonly errors: number },
  maxCount: number,
  maxHeight: number,
): { readonly height: number; readonly errorHeight: number } {
  if (count === 0) return { height: 0, errorHeight: 0 }
  const height = Math.max(MIN_HEIGHT, (count / maxCount) * maxHeight)
  if (errors === 0) return { height, errorHeight: 0 }
  const share = Math.min(1, errors / count)
  const visible = share < 1 ? Math.min(MIN_ERROR_HEIGHT, height / 2) : height
  return { height, errorHeight: Math.max(visible, share * height) }
}
