/** Which keys and attributes hold credentials. */

/** Ends of names, in lower case without `_` and `-`. Documented in docs/operations/redaction.md. */
const DEFAULT_ENDS = [
  'accesskey',
  'accesskeyid',
  'accesstoken',
  'apikey',
  'apitoken',
  'authheaders',
  'authorization',
  'authtoken',
  'bearertoken',
  'clientsecret',
  'passphrase',
  'password',
  'privatekey',
  'refreshtoken',
  'secretaccesskey',
  'secretkey',
  'securitytoken',
  'sessiontoken',
  'setcookie',
  'webhooksecret',
]

/** Of attributes of headers, which OpenTelemetry instrumentations send without being asked; those are never stored. */
const HEADER_ENDS = [...DEFAULT_ENDS, 'headers', 'cookie']

/** Of a longer key only the end counts. */
const MAX_KEY_CHARACTERS = 128

export function isCredentialHeader(attribute: string): boolean {
  return attribute.includes('header') && endsWithOne(normalized(attribute), HEADER_ENDS)
}

/**
 * The test of a list of keys, separated by commas; `default` stands for the names above. Case, `_` and `-` do not count, and of a
 * key with dots, as attributes of OpenTelemetry have, the last part may match too. Undefined for a list without names.
 */
export function credentialKeyTest(list: string | undefined): ((key: string) => boolean) | undefined {
  const names = (list ?? '')
    .split(',')
    .map(normalized)
    .filter((name) => name !== '')
  if (names.length === 0) return undefined
  const ends = names.includes('default') ? DEFAULT_ENDS : []
  const exact = new Set(names.filter((name) => name !== 'default'))
  return (key) => {
    const name = normalized(key)
    return exact.has(name) || exact.has(name.slice(name.lastIndexOf('.') + 1)) || endsWithOne(name, ends)
  }
}

function normalized(key: string): string {
  return key.slice(-MAX_KEY_CHARACTERS).trim().toLowerCase().replaceAll(/[_-]/g, '')
}

function endsWithOne(name: string, ends: readonly string[]): boolean {
  return ends.some((end) => name.endsWith(end))
}
