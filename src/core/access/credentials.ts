import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'

/** Credentials of the Authorization header, API keys and session tokens. */
export interface Credentials {
  readonly username: string
  /** A password or an API key. */
  readonly secret: string
}

/** The username that SDKs send with an API key; reserved. */
export const KEY_USERNAME = 'api'

/** Shorter secrets are never looked up as keys. */
export const MIN_KEY_CHARACTERS = 40

const HOW_TO_AUTHENTICATE =
  'send "Authorization: Basic <base64 of username:password>", or base64 of "api:<API key>", or "Authorization: Bearer <API key>" (create a key with `heddle keys create`)'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const BASIC_HEADER = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i

const BEARER_HEADER = /^bearer +([^\s]+) *$/i

/** Basic credentials, or an API key as a bearer token. Throws `unauthenticated` with instructions. */
export function readCredentials(authorization: string | undefined): Credentials {
  const key = authorization === undefined ? undefined : BEARER_HEADER.exec(authorization)?.[1]
  return key === undefined ? readBasic(authorization) : { username: KEY_USERNAME, secret: key }
}

/** The password may contain colons, the username may not. */
function readBasic(authorization: string | undefined): Credentials {
  if (authorization === undefined || authorization === '')
    throw unauthenticated(`credentials are missing: ${HOW_TO_AUTHENTICATE}`)
  const encoded = BASIC_HEADER.exec(authorization)?.[1]
  if (encoded === undefined)
    throw unauthenticated(`the Authorization header is malformed: ${HOW_TO_AUTHENTICATE}`)
  const text = utf8(Buffer.from(encoded, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0)
    throw unauthenticated(`the Basic credentials are not "username:password": ${HOW_TO_AUTHENTICATE}`)
  return { username: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** The same error for every wrong credential, so that it does not reveal whether the user exists. */
export function wrongCredentials(): ApiError {
  return unauthenticated(`these credentials are not valid: ${HOW_TO_AUTHENTICATE}`)
}

function unauthenticated(reason: string): ApiError {
  return new ApiError('unauthenticated', reason)
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

/** 256 random bits. The prefix makes the key recognizable to people and secret scanners. */
export function newApiKey(): string {
  return `hd_${randomBytes(32).toString('base64url')}`
}

const SESSION_PREFIX = 'hs_'

/** The value of the session cookie: 256 random bits. */
export function newSessionToken(): string {
  return SESSION_PREFIX + randomBytes(32).toString('base64url')
}

export function isSessionToken(text: string): boolean {
  return text.startsWith(SESSION_PREFIX) && text.length >= MIN_KEY_CHARACTERS
}

/** The code of a one-time sign-in link: 192 random bits. */
export function newSignInCode(): string {
  return randomBytes(24).toString('base64url')
}

/** A fast hash is safe here, because a key has 256 random bits. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The public id of a key. */
export function apiKeyId(key_hash: string): string {
  return `key_${key_hash.slice(0, 12)}`
}

/** A generated initial password: 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}
