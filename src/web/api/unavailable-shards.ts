import { useSyncExternalStore } from 'react'
import { BASE_PATH } from './base-path.ts'

/** The shards of a cluster that some response on this page left out, until the server says that they are back. */

let shards: readonly number[] = []
const listeners = new Set<() => void>()

/** For each response without these shards, or which failed because of them. */
export function reportUnavailableShards(reported: readonly number[]): void {
  const all = [...new Set([...shards, ...reported])].sort((a, b) => a - b)
  if (all.length > shards.length) setShards(all)
}

export function unavailableShards(): readonly number[] {
  return shards
}

export function useUnavailableShards(): readonly number[] {
  return useSyncExternalStore(subscribe, unavailableShards)
}

/** Asks the server. Returns whether some are back. */
export async function refreshUnavailableShards(signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${BASE_PATH}/readyz`, { signal })
  // A server that is not ready does not know.
  if (!response.ok) return false
  const { unavailable_shards = [] } = (await response.json()) as { unavailable_shards?: readonly number[] }
  const left = shards.filter((shard) => unavailable_shards.includes(shard))
  if (left.length === shards.length) return false
  setShards(left)
  return true
}

/** The shards that an error of the server names. */
export function shardsOf(extra: Readonly<Record<string, unknown>>): readonly number[] {
  const { unavailable_shards: named } = extra
  return Array.isArray(named) ? named.filter((shard) => typeof shard === 'number') : []
}

function setShards(next: readonly number[]): void {
  shards = next
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
