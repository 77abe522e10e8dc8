import type { PageBoundaries } from './page-boundary.ts'
import { rangeConditions, type SearchRange } from './search.ts'

/**
 * Slices of calls backwards in time, each larger than the previous one. Common text is found without scanning the whole
 * project. Rare text costs only a few statements more than one full scan.
 */

/**
 * Number of calls in the first slice, and the growth factor of the next ones. Common text is found in the first
 * slices.
 */
const FIRST_SLICE_CALLS = 4_096

const SLICE_GROWTH = 8

/** With an index most calls are skipped, so fewer and larger slices are faster, unless the text is common. */
const INDEXED_SLICE_GROWTH = 64

interface SearchSlice extends SearchRange {
  /** Nothing of the range is left after it. */
  readonly isLast: boolean
}

interface SliceOptions {
  readonly pageBoundaries: PageBoundaries
  readonly project_id: string
  readonly isIndexed: boolean
  /** There is no next slice after this time. */
  readonly timeoutMs: number
}

/** A slice also has the calls with the same start time as its last one. */
export async function* searchSlices(
  { pageBoundaries, project_id, isIndexed, timeoutMs }: SliceOptions,
  range: SearchRange,
): AsyncGenerator<SearchSlice> {
  const start = performance.now()
  const growth = isIndexed ? INDEXED_SLICE_GROWTH : SLICE_GROWTH
  let { after } = range
  for (let size = FIRST_SLICE_CALLS; ;) {
    const sliceStart = performance.now()
    const conditions = rangeConditions({ ...range, after })
    const boundary = await pageBoundaries.find(project_id, conditions, 'desc', size)
    yield { from: boundary ?? range.from, after, isLast: boundary === undefined }
    const now = performance.now()
    if (boundary === undefined || now - start > timeoutMs) return
    after = { at: boundary, id: '' }
    // The next slice is only as large as can probably be searched in the remaining time.
    const rate = size / Math.max(1, now - sliceStart)
    const next = Math.min(size * growth, Math.floor(rate * (start + timeoutMs - now)))
    size = Math.max(FIRST_SLICE_CALLS, next)
  }
}
