import { useSyncExternalStore } from 'react'

/** Whether the server answers, as the last request has seen it. */
export type Connection = 'here' | 'away'

let connection: Connection = 'here'
const listeners = new Set<() => void>()

export function noteConnection(now: Connection): void {
  if (connection === now) return
  connection = now
  for (const tell of listeners) tell()
}

export function connectionNow(): Connection {
  return connection
}

export function onConnection(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, connectionNow)
}
