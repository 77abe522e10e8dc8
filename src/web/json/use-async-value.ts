import { useEffect, useMemo, useState } from 'react'
import type { MaybePromise } from './json-source.ts'

/** The value, or the result of the promise once it resolves; `undefined` until then. */
export function useAsyncValue<T>(load: () => MaybePromise<T>, deps: readonly unknown[]): T | undefined {
  const loaded = useMemo(load, deps)
  const [resolved, setResolved] = useState<{ readonly promise: unknown; readonly value: T }>()
  useEffect(() => {
    if (!(loaded instanceof Promise)) return undefined
    let isCancelled = false
    const wait = async (): Promise<void> => {
      const value = await loaded
      if (!isCancelled) setResolved({ promise: loaded, value })
    }
    // The promise rejects only if the worker is gone, and then the page is gone too.
    wait().catch(() => undefined)
    return () => {
      isCancelled = true
    }
  }, [loaded])
  if (!(loaded instanceof Promise)) return loaded
  return resolved?.promise === loaded ? resolved.value : undefined
}
