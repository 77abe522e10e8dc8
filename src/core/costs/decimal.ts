/** Exact decimal numbers for prices: 3 × 0.0000001 is 0.0000003, which floating point does not give. */
export interface Decimal {
  readonly digits: bigint
  /** Number of fractional digits; never negative. */
  readonly scale: number
}

export const ZERO: Decimal = { digits: 0n, scale: 0 }

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Larger values are mistakes, and writing out their digits could exhaust memory. */
const MAX_TEXT = 64
const MAX_EXPONENT = 64

/** Parses a JSON number; undefined for other text and for numbers of implausible size. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = text.length > MAX_TEXT ? null : NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export function times(value: Decimal, count: bigint): Decimal {
  return { digits: value.digits * count, scale: value.scale }
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const rescaled = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own)
  return { digits: rescaled(a) + rescaled(b), scale }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, times(b, -1n))
}

/** A comparator: 1, 0 or -1. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { digits } = minus(a, b)
  return digits === 0n ? 0 : digits > 0n ? 1 : -1
}

export function divideByPowerOfTen(value: Decimal, power: number): Decimal {
  return { digits: value.digits, scale: value.scale + power }
}

/** Formats as a JSON number without an exponent and without trailing zeros. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
