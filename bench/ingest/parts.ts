import type { Load } from './load.ts'

/** The parts of the benches `ingest` and `compare`. */
export interface Part {
  readonly kind: Load['kind']
  /** Calls per request. */
  readonly batch: number
  /** Mean size of a call. */
  readonly bytes: number
  readonly connections: number
  /** Calls per second. By default as many as possible. */
  readonly rate?: number | 'quarter of the maximum'
  /** Whether bare ClickHouse inserts the same calls, in turns. */
  readonly withBare: boolean
}

const BYTES = 3_400
const complete = (batch: number, connections: number, bytes = BYTES): Part => ({
  kind: 'complete',
  batch,
  bytes,
  connections,
  withBare: true,
})
/** One client that sends a request now and then. */
const lone = (kind: Load['kind'], batch: number, requestsPerSecond: number): Part => ({
  kind,
  batch,
  bytes: BYTES,
  connections: 1,
  rate: requestsPerSecond * batch,
  withBare: false,
})

const PARTS: Readonly<Record<string, Part>> = {
  'complete 100': complete(100, 100),
  'complete 1000': complete(1_000, 16),
  'complete 10': complete(10, 200),
  'complete 1': complete(1, 400),
  'complete 100, 1 KB': complete(100, 100, 1_000),
  apart: { kind: 'apart', batch: 100, bytes: BYTES, connections: 100, withBare: true },
  // 200 clients with up to five concurrent requests each, as an SDK's thread pool has.
  starts: { kind: 'starts', batch: 1, bytes: BYTES, connections: 1_000, rate: 3_000, withBare: false },
  quarter: { ...complete(100, 100), rate: 'quarter of the maximum', withBare: false },
  ladder: { kind: 'ladder', batch: 100, bytes: BYTES, connections: 8, withBare: false },
  'lone start': lone('starts', 1, 4),
  'lone 10 calls': lone('complete', 10, 4),
}

/** The wanted parts: those with exactly a name of `only`, else those whose name contains one; all without any. */
export function selectParts(only: readonly string[]): [string, Part][] {
  const parts = Object.entries(PARTS)
  if (only.length === 0) return parts
  const exact = parts.filter(([name]) => only.includes(name))
  return exact.length > 0 ? exact : parts.filter(([name]) => only.some((word) => name.includes(word)))
}
