/**
 * Prices are kept per token and talked about per million tokens. Only the point moves, in text: as floating point 0.15
 * per million would come back as something else.
 */

const NUMBER = /^(\d{1,12})(?:[.,](\d{1,12}))?$/

/** `0.15` → `0.00000015`; undefined for what is no price. */
export function perToken(perMillion: string): string | undefined {
  const match = NUMBER.exec(perMillion.trim())
  if (match === null) return undefined
  const whole = (match[1] ?? '').padStart(7, '0')
  const digits = `${whole.slice(0, -6)}.${whole.slice(-6)}${match[2] ?? ''}`
  return tidy(digits)
}

/** `0.00000015` and `1.5e-7` → `0.15`; what has another form stays as it is. */
export function perMillion(perToken: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(perToken)
  if (match === null) return perToken
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) + 6
  const digits = whole + fraction
  const point = whole.length + shift
  if (point <= 0) return tidy(`${sign}0.${'0'.repeat(-point)}${digits}`)
  const padded = digits.padEnd(point, '0')
  return tidy(`${sign}${padded.slice(0, point)}.${padded.slice(point)}`)
}

/** Without zeros that say nothing. */
function tidy(number: string): string {
  const text = number.replace(/^(-?)0+(?=\d)/, '$1')
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
}
