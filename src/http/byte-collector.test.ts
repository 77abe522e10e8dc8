import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

test.each([0, 1, 10, 1_000_000, 3_000_000])('%i bytes are joined, in chunks of any size', (size) => {
  const bytes = Buffer.alloc(size, 'abcdefg')
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500_000 }), { maxLength: 30 }), (sizes) => {
      const collector = new ByteCollector(size)
      let at = 0
      for (const next of sizes) {
        collector.add(bytes.subarray(at, at + next))
        at += next
      }
      if (at < size) collector.add(bytes.subarray(at))
      expect(collector.length).toBe(size)
      expect(collector.take().equals(bytes)).toBe(true)
    }),
    { numRuns: 20 },
  )
})
