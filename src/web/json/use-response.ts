import { useEffect, useMemo, useState } from 'react'
import type { Answer } from './json-source.ts'

/** What was asked, at once if it is at hand, else when it comes; until then undefined. */
export function useAnswer<T>(ask: () => Answer<T>, deps: readonly unknown[]): T | undefined {
  const asked = useMemo(ask, deps)
  const [later, setLater] = useState<{ readonly of: unknown; readonly value: T }>()
  useEffect(() => {
    if (!(asked instanceof Promise)) return undefined
    let isGone = false
    const wait = async (): Promise<void> => {
      const value = await asked
      if (!isGone) setLater({ of: asked, value })
    }
    // A worker that is gone takes its page with it.
    wait().catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [asked])
  if (!(asked instanceof Promise)) return asked
  return later?.of === asked ? later.value : undefined
}
