import { expect, test } from 'vitest'
import { chunkIds } from './export-selected.ts'

test('thousands of ids are split into chunks that fit into a URL', () => {
  const ids = Array.from({ length: 5000 }, (_, i) => `019c5a3e-0000-7000-8000-${String(i).padStart(12, '0')}`)
  const chunks = chunkIds(ids, 5000)
  expect(chunks.flat()).toEqual(ids)
  for (const chunk of chunks) expect(encodeURIComponent(JSON.stringify(chunk)).length).toBeLessThan(5010)
  expect(chunks.length).toBeLessThan(60)
})

test('an id that fills a URL gets a chunk of its own', () => {
  expect(chunkIds(['a', 'ü'.repeat(50), 'b'], 100)).toEqual([['a'], ['ü'.repeat(50)], ['b']])
  expect(chunkIds([], 100)).toEqual([])
})
