/** Points in time are microseconds since 1970, as the wire and the store keep them; a JS number ends in 2255. */
export type Micros = bigint

const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** What the engine's DateTime64(6) can hold; times outside are kept at its edge. */
const EARLIEST: Micros = -2_208_988_800_000_000n // 1900-01-01
const LATEST: Micros = 10_413_791_999_999_999n // 2299-12-31T23:59:59.999999

/** ISO 8601, also with a space or without an offset (UTC then), to the microsecond. */
export function parseTime(text: string): Micros | undefined {
  const match = SHAPE.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  // A leap second is the first moment of the next minute.
  const ms = Date.UTC(+year!, +month! - 1, +day!, +hour, +minute, +second)
  const date = new Date(ms)
  const inRange = +hour <= 24 && +minute <= 59 && +second <= 60
  if (Number.isNaN(ms) || !inRange || +month! < 1 || +month! > 12) return undefined
  if (+hour < 24 && +second < 60 && date.getUTCDate() !== +day!) return undefined
  const micros = BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6)) - offsetOf(zone)
  return clampTime(micros)
}

export function clampTime(micros: Micros): Micros {
  return micros < EARLIEST ? EARLIEST : micros > LATEST ? LATEST : micros
}

function offsetOf(zone: string): Micros {
  if (zone === 'Z' || zone === 'z') return 0n
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = BigInt(digits.slice(0, 2)) * 60n + BigInt(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000_000n
}

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

/** The machine's clock, to the microsecond. */
export const systemClock: Clock = () => BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000))
