import { expect, test } from 'vitest'
import { perMillion, perToken } from './per-million.ts'

test.each([
  ['0.15', '0.00000015'],
  ['2.5', '0.0000025'],
  ['10', '0.00001'],
  ['1000000', '1'],
  ['0,075', '0.000000075'],
  ['0', '0'],
  [' 3 ', '0.000003'],
])('%s per million tokens is %s per token', (million, one) => {
  expect(perToken(million)).toBe(one)
  expect(perMillion(one)).toBe(million.trim().replace(',', '.'))
})

test('text that is not a price is rejected', () => {
  for (const text of ['', '-1', 'free', '1e-6', '1.2.3', '$2']) expect(perToken(text)).toBeUndefined()
})

test('prices are read in every form the server may return', () => {
  expect(perMillion('1.5e-7')).toBe('0.15')
  expect(perMillion('2.5E-06')).toBe('2.5')
  expect(perMillion('0.000003')).toBe('3')
  expect(perMillion('12')).toBe('12000000')
  expect(perMillion('?')).toBe('?')
})
