import { randomBytes } from 'node:crypto'
import type { Micros } from './time.ts'

/** A UUIDv7: the first 48 bits are the time in milliseconds, so ids sort by creation time. */
export function uuidv7(now: Micros): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Number(now / 1000n), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Creation time of a UUIDv7; undefined for any other id. */
export function uuidv7Time(id: string): Micros | undefined {
  if (!UUIDV7.test(id)) return undefined
  return BigInt(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) * 1000n
}
