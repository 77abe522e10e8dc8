import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

test('only the right password matches, and nothing matches a missing hash', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).not.toContain('correct')
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct horse ', hash)).toBe(false)
  expect(await isPassword('', '')).toBe(false)
  expect(await isPassword('correct horse', undefined)).toBe(false)
  // Each check is slow by design.
}, 60_000)
