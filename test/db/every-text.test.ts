import { describe, expect, test } from 'vitest'
import { HOSTILE_STRINGS } from '../hostile-values.ts'
import {
  allOperations,
  inParallel,
  operationsWithJsonBody,
  operationOf,
  useOperations,
} from '../operations.ts'
import { Shares } from '../share.ts'

/** Every operation with hostile strings in each text field. */

const operations = useOperations()

const shares = new Shares(24)

describe('hostile text', () => {
  test.each(operationsWithJsonBody)(
    '%s survives hostile values in each text field',
    { timeout: 180_000 },
    async (name) => {
      expect(
        await operations.serverErrors(name, (_, value) =>
          typeof value === 'string' ? shares.next(HOSTILE_STRINGS) : [],
        ),
      ).toEqual([])
    },
  )

  test.each(allOperations.filter((name) => operationOf(name).path.includes('{')))(
    '%s survives hostile text in its path',
    async (name) => {
      const request = await operations.exampleCache.get(name)
      const texts = HOSTILE_STRINGS.filter((text) => text.length < 300 && text.isWellFormed())
      const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)
      const attempts = inPath.flatMap((field) => shares.next(texts).map((text) => ({ [field]: text })))
      await inParallel(32, attempts, async (attempt) => {
        const response = await operations.send(name, { ...request, ...attempt })
        expect([attempt, response.status < 500, response.status]).toEqual([attempt, true, expect.any(Number)])
      })
    },
  )
})
