import { useSyncExternalStore } from 'react'

/** Whether the server was reachable by the last request. */
export type ConnectionStatus = 'online' | 'offline'

let status: ConnectionStatus = 'online'
const listeners = new Set<() => void>()

export function setConnectionStatus(next: ConnectionStatus): void {
  if (status === next) return
  status = next
  for (const notify of listeners) notify()
}

export function connectionStatus(): ConnectionStatus {
  return status
}

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnectionStatus(): ConnectionStatus {
  return useSyncExternalStore(subscribeConnection, connectionStatus)
}
