import { describe, expect, test } from 'vitest'
import { NASTY } from '../hostile-values.ts'
import { all, inParallel, jsons, operationOf, useOperations } from '../operations.ts'

/** Every operation: text that breaks other servers, in each place where text may stand. */

const operations = useOperations()

describe('nasty text', () => {
  test.each(jsons)(
    `%s survives ${NASTY.length} nasty values in each text field`,
    { timeout: 180_000 },
    async (name) => {
      expect(await operations.failures(name, (_, value) => (typeof value === 'string' ? NASTY : []))).toEqual(
        [],
      )
    },
  )

  test.each(all.filter((name) => operationOf(name).path.includes('{')))(
    '%s survives nasty text in its path',
    async (name) => {
      const request = await operations.kept.of(name)
      const texts = NASTY.filter((text) => text.length < 300 && text.isWellFormed())
      const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)
      const attempts = inPath.flatMap((field) => texts.map((text) => ({ [field]: text })))
      await inParallel(32, attempts, async (attempt) => {
        const answer = await operations.deliver(name, { ...request, ...attempt })
        expect([attempt, answer.status < 500, answer.status]).toEqual([attempt, true, expect.any(Number)])
      })
    },
  )
})
