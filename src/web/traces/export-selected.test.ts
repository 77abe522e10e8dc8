import { expect, test } from 'vitest'
import { inPieces } from './export-selected.ts'

test('thousands of ids are asked for in pieces that fit into an address', () => {
  const ids = Array.from({ length: 5000 }, (_, i) => `019c5a3e-0000-7000-8000-${String(i).padStart(12, '0')}`)
  const pieces = inPieces(ids, 5000)
  expect(pieces.flat()).toEqual(ids)
  for (const piece of pieces) expect(encodeURIComponent(JSON.stringify(piece)).length).toBeLessThan(5010)
  expect(pieces.length).toBeLessThan(60)
})

test('an id that is long in an address is asked for alone', () => {
  expect(inPieces(['a', 'ü'.repeat(50), 'b'], 100)).toEqual([['a'], ['ü'.repeat(50)], ['b']])
  expect(inPieces([], 100)).toEqual([])
})
