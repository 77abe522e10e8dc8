import { expect, test } from 'vitest'
import {
  hashApiKey,
  MIN_KEY_CHARACTERS,
  apiKeyId,
  newApiKey,
  newPassword,
  readCredentials,
} from './credentials.ts'

test('a password may hold colons and any letter; the username ends at the first colon', () => {
  const header = `Basic ${Buffer.from('zoë:pä:ss').toString('base64')}`
  expect(readCredentials(header)).toEqual({ username: 'zoë', secret: 'pä:ss' })
})

test('a malformed header is rejected with instructions', () => {
  const utf16 = Buffer.from('a:b', 'utf16le').toString('base64')
  for (const header of [undefined, '', 'Basic', 'Basic ', 'Basic *', 'Digest YTpi', 'YTpi', 'Basic YQ==']) {
    expect(() => readCredentials(header)).toThrow(/Authorization: Basic/)
  }
  expect(readCredentials(`Basic ${utf16}`).username).toBe('a\0')
})

test('a bearer token is an API key', () => {
  expect(readCredentials('bearer hd_x ')).toEqual({ username: 'api', secret: 'hd_x' })
  expect(() => readCredentials('Bearer a b')).toThrow(/Authorization: Basic/)
})

test('a key has 256 random bits, and its id reveals none of them', () => {
  const keys = new Set(Array.from({ length: 1_000 }, () => newApiKey()))
  expect(keys.size).toBe(1_000)
  for (const key of keys) {
    expect(key).toMatch(/^hd_[\w-]{43}$/)
    expect(key.length).toBeGreaterThanOrEqual(MIN_KEY_CHARACTERS)
    expect(key).not.toContain(apiKeyId(hashApiKey(key)).slice(4))
  }
  // A generated password is never mistaken for a key.
  expect(newPassword().length).toBeLessThan(MIN_KEY_CHARACTERS)
})
