import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'

/** What stands in an Authorization header, and what API keys look like. */
export interface Credentials {
  readonly username: string
  /** A password or an API key. */
  readonly secret: string
}

/** The username that SDKs send before an API key; nobody can have it. */
export const KEY_USERNAME = 'api'

/** Shorter secrets are never looked up as keys. */
export const KEY_MIN_CHARACTERS = 40

const HOW =
  'send "Authorization: Basic <base64 of username:password>", or of "api:" followed by an API key (make one with `heddle keys create`)'

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const SCHEME = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i

/** Throws `unauthenticated` with what to send instead. The password may hold colons, the username may not. */
export function readBasic(authorization: string | undefined): Credentials {
  if (authorization === undefined || authorization === '')
    throw unauthenticated(`credentials are missing: ${HOW}`)
  const encoded = SCHEME.exec(authorization)?.[1]
  if (encoded === undefined) throw unauthenticated(`the Authorization header is malformed: ${HOW}`)
  const text = utf8(Buffer.from(encoded, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0)
    throw unauthenticated(`the Basic credentials hold no "username:password": ${HOW}`)
  return { username: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** One answer for every wrong credential: it does not tell whether the user exists. */
export function wrongCredentials(): ApiError {
  return unauthenticated(`these credentials are not valid: ${HOW}`)
}

function unauthenticated(reason: string): ApiError {
  return new ApiError('unauthenticated', reason)
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return TEXT.decode(bytes)
  } catch {
    return undefined
  }
}

/** 256 random bits. The prefix lets people and secret scanners recognise it. */
export function newApiKey(): string {
  return `hd_${randomBytes(32).toString('base64url')}`
}

const SESSION_PREFIX = 'hs_'

/** For the cookie of a browser: 256 random bits. */
export function newSessionToken(): string {
  return SESSION_PREFIX + randomBytes(32).toString('base64url')
}

export function isSessionToken(text: string): boolean {
  return text.startsWith(SESSION_PREFIX) && text.length >= KEY_MIN_CHARACTERS
}

/** For the link that a person opens once: 192 random bits. */
export function newSignInCode(): string {
  return randomBytes(24).toString('base64url')
}

/** A key is as random as a hash, so a fast hash is the right one. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** How a key is spoken of once it cannot be shown any more. */
export function keyIdOf(key_hash: string): string {
  return `key_${key_hash.slice(0, 12)}`
}

/** For a person to type once: 120 bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}
