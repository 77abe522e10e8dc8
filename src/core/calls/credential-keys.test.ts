import { expect, test } from 'vitest'
import { credentialKeyTest, isCredentialHeader } from './credential-keys.ts'

test('the default names are recognized in any spelling, also at the end of longer ones', () => {
  const isCredential = credentialKeyTest('default')!
  for (const key of ['api_key', 'apiKey', 'X-API-Key', 'OPENAI_API_KEY', 'Authorization', 'db.password'])
    expect([key, isCredential(key)]).toEqual([key, true])
  for (const key of ['api_key_id', 'monkey', 'key', 'tokens', 'keywords', 'author', ''])
    expect([key, isCredential(key)]).toEqual([key, false])
})

test('own names match whole keys, or the last part of a key with dots; they can be added to the default', () => {
  const isOwn = credentialKeyTest(' ssn, Card-Number ')!
  for (const key of ['ssn', 'SSN', 'card_number', 'cardNumber', 'user.ssn'])
    expect([key, isOwn(key)]).toEqual([key, true])
  for (const key of ['my_ssn', 'ssn.last', 'api_key']) expect([key, isOwn(key)]).toEqual([key, false])
  const both = credentialKeyTest('default,ssn')!
  expect([both('ssn'), both('api_key'), both('name')]).toEqual([true, true, false])
})

test('an empty list means no test at all', () => {
  for (const list of [undefined, '', ' , ']) expect(credentialKeyTest(list)).toBeUndefined()
})

test.each([
  ['http.request.header.authorization', true],
  ['http.request.header.x-api-key', true],
  ['ai.request.headers.cookie', true],
  ['llm.headers', true],
  ['http.request.header.user-agent', false],
  ['authorization', false],
])('the header attribute %s is a credential: %s', (attribute, expected) => {
  expect(isCredentialHeader(attribute)).toBe(expected)
})
