/** Returns a function that calls `load` at most once per `ttlMs`; callers within that time get the same result. */
export function cachedFor<T>(load: () => Promise<T>, ttlMs: number): () => Promise<T> {
  let loadedAt = Number.NEGATIVE_INFINITY
  let cached: Promise<T> | undefined
  return () => {
    if (cached !== undefined && performance.now() - loadedAt < ttlMs) return cached
    loadedAt = performance.now()
    cached = load()
    return cached
  }
}
