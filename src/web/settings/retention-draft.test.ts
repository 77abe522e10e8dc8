import { expect, test } from 'vitest'
import { draftOf, policyOf } from './retention-draft.ts'

const DRAFT = {
  callsDays: '400',
  callsGigabytes: '',
  payloadsDays: '0.5',
  payloadsGigabytes: '1.5',
  keepTags: 'a, b,',
}

test('limits are days and gigabytes; an empty one means no limit', () => {
  const policy = policyOf(DRAFT)!
  expect(policy).toEqual({
    calls_max_age_seconds: 34_560_000,
    calls_max_bytes: null,
    payloads_max_age_seconds: 43_200,
    payloads_max_bytes: 1_500_000_000,
    keep_tags: ['a', 'b'],
  })
  expect(draftOf(policy)).toEqual({ ...DRAFT, keepTags: 'a, b' })
})

test('a limit that is not a positive number is rejected', () => {
  for (const callsDays of ['x', '0', '-1', '0.00001', '1e30'])
    expect(policyOf({ ...DRAFT, callsDays })).toBeUndefined()
})
