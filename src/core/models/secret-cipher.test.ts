import { expect, test } from 'vitest'
import { decryptSecret, deriveSecretKey, encryptSecret } from './secret-cipher.ts'

const key = deriveSecretKey('a-key-of-at-least-thirty-two-characters')
const identity = { project_id: 'acme/bot', name: 'OPENAI_API_KEY', origins: ['https://api.openai.com'] }

test('a secret decrypts to what it was, and two encryptions of it differ', () => {
  const first = encryptSecret(key, 'sk-é-1', identity)
  expect(decryptSecret(key, first, identity)).toBe('sk-é-1')
  expect(encryptSecret(key, 'sk-é-1', identity)).not.toBe(first)
  expect(Buffer.from(first, 'base64').includes('sk-')).toBe(false)
})

test('a ciphertext decrypts for its project, name, destination and key only', () => {
  const ciphertext = encryptSecret(key, 'sk-1', identity)
  for (const other of [
    { ...identity, project_id: 'acme/other' },
    { ...identity, name: 'OTHER' },
    { ...identity, origins: ['https://api.openai.com', 'https://evil.example'] },
  ])
    expect(() => decryptSecret(key, ciphertext, other)).toThrow(/authenticate|state|tag/)
  expect(() => decryptSecret(deriveSecretKey('another'), ciphertext, identity)).toThrow(
    /authenticate|state|tag/,
  )
  const bytes = Buffer.from(ciphertext, 'base64')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i]! ^= 1
    expect(() => decryptSecret(key, changed.toString('base64'), identity)).toThrow(/authenticate|state|tag/)
  }
  expect(() => decryptSecret(key, '', identity)).toThrow(/initialization vector/)
})
