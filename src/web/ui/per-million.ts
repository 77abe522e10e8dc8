/**
 * Converts prices between per token (stored) and per million tokens (shown). It moves the decimal point in the text:
 * floating point would not return 0.15 per million unchanged.
 */

const NUMBER = /^(\d{1,12})(?:[.,](\d{1,12}))?$/

/** `0.15` → `0.00000015`; undefined if the text is not a price. */
export function perToken(perMillion: string): string | undefined {
  const match = NUMBER.exec(perMillion.trim())
  if (match === null) return undefined
  const whole = (match[1] ?? '').padStart(7, '0')
  const digits = `${whole.slice(0, -6)}.${whole.slice(-6)}${match[2] ?? ''}`
  return trimZeros(digits)
}

/** `0.00000015` and `1.5e-7` → `0.15`; text in any other form is returned unchanged. */
export function perMillion(perToken: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(perToken)
  if (match === null) return perToken
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) + 6
  const digits = whole + fraction
  const point = whole.length + shift
  if (point <= 0) return trimZeros(`${sign}0.${'0'.repeat(-point)}${digits}`)
  const padded = digits.padEnd(point, '0')
  return trimZeros(`${sign}${padded.slice(0, point)}.${padded.slice(point)}`)
}

/** Removes leading and trailing zeros. */
function trimZeros(number: string): string {
  const text = number.replace(/^(-?)0+(?=\d)/, '$1')
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
}
