import { expect, test } from 'vitest'
import { newPassword } from './credentials.ts'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  '12345678',
  '87654321',
  'password',
  'Password1!',
  'p@ssw0rd',
  'aaaaaaaa',
  'abababab',
  'abc1abc1abc1',
  'qwertyuiop',
  'letmein123',
  'alice-smith',
  'alice-smith2026',
])('%s is refused', (password) => {
  expect(isCommonPassword(password, 'alice-smith')).toBe(true)
})

test.each([
  'correct horse battery staple',
  'a-long-password',
  'unused-password',
  'Tr0ub4dor&3',
  'the dragon sleeps',
])('%s is accepted', (password) => {
  expect(isCommonPassword(password, 'alice-smith')).toBe(false)
})

test('a generated password is accepted', () => {
  for (let i = 0; i < 100; i++) expect(isCommonPassword(newPassword(), 'admin')).toBe(false)
})
