import { useEffect, useState } from 'react'

/**
 * Buffers keys that are pressed before the data has loaded. Once it is ready, the keys are handled one per render, each
 * on the state that the previous one left. Keys pressed for another call are discarded.
 */
export function useKeyBuffer(
  callId: string,
  isReady: boolean,
  onKey: (key: string) => void,
): (key: string) => void {
  const [buffer, setBuffer] = useState<{ readonly callId: string; readonly keys: readonly string[] }>()
  const pendingKeys = buffer?.callId === callId ? buffer.keys : []
  useEffect(() => {
    const [first, ...rest] = pendingKeys
    if (!isReady || first === undefined) return
    setBuffer({ callId, keys: rest })
    onKey(first)
  })
  return (key) => {
    if (isReady && pendingKeys.length === 0) onKey(key)
    else setBuffer((before) => ({ callId, keys: [...(before?.callId === callId ? before.keys : []), key] }))
  }
}
