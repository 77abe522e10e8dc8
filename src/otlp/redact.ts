/** Attributes with credentials, which are never stored. */

export const REDACTED = '[redacted]'

const CREDENTIALS = /(?:headers|authorization|cookie|api[-_]key|(?:auth|security)[-_]token)$/i

export function isCredential(key: string): boolean {
  return key.includes('header') && CREDENTIALS.test(key.slice(-64))
}
