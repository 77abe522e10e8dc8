import { type Micros, parseTime } from '../../contract/time.ts'

/** Re-export for upper layers. Times are defined in the contract, whose schemas check them. */
export {
  clampTime,
  EARLIEST,
  LATEST,
  type Micros,
  parseStorableTime,
  parseTime,
  unixToStorableTime,
} from '../../contract/time.ts'

/** `2026-11-15T00:00:00.000001Z`: always six digits, always UTC. */
export function formatTime(micros: Micros): string {
  let ms = micros / 1000n
  let rest = micros % 1000n
  if (rest < 0n) {
    rest += 1000n
    ms -= 1n
  }
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${rest.toString().padStart(3, '0')}Z`
}

export type Clock = () => Micros

/** The system clock in microseconds. */
export const systemClock: Clock = () =>
  BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000))

/**
 * Now, or one microsecond after `than` if a node with a faster clock wrote it: the newer row must have the later
 * time.
 */
export function laterTime(now: Micros, than: string): string {
  const before = parseTime(than)
  return formatTime(before === undefined || now > before ? now : before + 1n)
}
