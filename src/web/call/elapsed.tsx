import { useEffect, useState } from 'react'
import { formatDuration, preciseMs } from '../time/format.ts'

/** Elapsed time of a running call, updated every second. */
export function Elapsed({ since }: { readonly since: string }) {
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <>{formatDuration(Math.max(0, Math.floor((nowMs - preciseMs(since)) / 1000) * 1000))}</>
}
