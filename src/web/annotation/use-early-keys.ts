import { useEffect, useState } from 'react'

/**
 * Keys of somebody who is faster than the server: they wait until what they act on is there, and then act one after the
 * other, each on what the one before has left. Those for another call are forgotten.
 */
export function useEarlyKeys(
  callId: string,
  isReady: boolean,
  act: (key: string) => void,
): (key: string) => void {
  const [early, setEarly] = useState<{ readonly callId: string; readonly keys: readonly string[] }>()
  const waiting = early?.callId === callId ? early.keys : []
  useEffect(() => {
    const [first, ...rest] = waiting
    if (!isReady || first === undefined) return
    setEarly({ callId, keys: rest })
    act(first)
  })
  return (key) => {
    if (isReady && waiting.length === 0) act(key)
    else setEarly((before) => ({ callId, keys: [...(before?.callId === callId ? before.keys : []), key] }))
  }
}
