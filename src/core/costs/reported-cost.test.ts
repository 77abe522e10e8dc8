import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { formatDecimal } from './decimal.ts'
import { reportedInAttributes, reportedInUsage } from './reported-cost.ts'

const text = (found: ReturnType<typeof reportedInUsage>): string | undefined =>
  found === undefined ? undefined : formatDecimal(found)

const inEntry = (json: string): string | undefined => text(reportedInUsage(RawJson.fromText(json)))
const inAttributes = (json: string): string | undefined => text(reportedInAttributes(RawJson.fromText(json)))

test('a reported cost keeps every digit it was sent with', () => {
  expect(inEntry('{"total_cost":0.30000000000000004}')).toBe('0.30000000000000004')
  expect(inEntry('{"cost":1e-7,"total_cost":null}')).toBe('0.0000001')
  expect(inEntry('{"cost":1,"total_cost":2}')).toBe('2')
})

test('text that is not a number, or not of plausible size, is not a cost', () => {
  expect(inEntry('{"total_cost":"1"}')).toBeUndefined()
  expect(inEntry('{"total_cost":1e31}')).toBeUndefined()
  expect(inEntry('{}')).toBeUndefined()
  expect(inEntry('{"total_cost":1e-40}')).toBe('0')
})

test('attributes are read with dotted keys and with nested keys', () => {
  expect(inAttributes('{"gen_ai.usage.cost":0.5}')).toBe('0.5')
  expect(inAttributes('{"gen_ai":{"usage":{"cost":0.5}}}')).toBe('0.5')
  expect(inAttributes('{"llm":{"cost":{"total":0.25}}}')).toBe('0.25')
  expect(inAttributes('{"llm":{"cost":7}}')).toBeUndefined()
})
