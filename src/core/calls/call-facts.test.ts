import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CallFacts,
  completeVersion,
  DELETED_RANK,
  endVersion,
  type Fact,
  isIncluded,
  isNameOfStart,
  joinFacts,
  generatedStartVersion,
  nameVersion,
  startOrigin,
  versionRank,
  rowVersion,
  type StartFact,
  startVersion,
} from './call-facts.ts'
import { parseTime } from '../time/time.ts'

const EARLIEST = parseTime('1900-01-01T00:00:00Z')!
const LATEST = parseTime('2299-12-31T23:59:59.999999Z')!

/** Few times and few bodies, so that ties and repetitions occur. */
const time = fc.oneof(
  fc.constantFrom(EARLIEST, -1n, 0n, 1n, 1_785_283_200_000_000n, 1_785_283_200_000_001n, LATEST),
  fc.bigInt({ min: EARLIEST, max: LATEST }),
)
const body = fc.oneof(fc.constantFrom('', 'a', 'b', 'ab', 'ba'), fc.string()).map((text) => Buffer.from(text))

/** The version of a fact is derived from its body, as in the store. */
const separateStart = fc.tuple(time, body).map(([started_at, b]): CallFacts => ({
  ...CALL,
  start: { started_at, body: b, version: startVersion(b) },
}))
const generatedStart = fc.tuple(time, body).map(([started_at, b]): CallFacts => ({
  ...CALL,
  start: { started_at, body: b, version: generatedStartVersion(started_at) },
}))
const ended = fc.tuple(time, body).map(([ended_at, b]): CallFacts => ({
  ...CALL,
  end: { ended_at, body: b, version: endVersion(ended_at, b) },
}))
const complete = fc.tuple(time, time, body, body).map(([started_at, ended_at, a, b]): CallFacts => {
  const version = completeVersion(ended_at, a, b)
  return { ...CALL, start: { started_at, body: a, version }, end: { ended_at, body: b, version } }
})
const named = fc
  .tuple(fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: LATEST })), body)
  .map(([at, b]): CallFacts => ({ ...CALL, name: { body: b, version: nameVersion(at, b) } }))
const deleted = fc
  .bigInt({ min: 0n, max: LATEST })
  .map((version): CallFacts => ({ ...CALL, deletion: { version, body: Buffer.alloc(0) } }))

const CALL = { project_id: 'acme/demo', id: 'call' } as const

const record = fc.oneof(separateStart, generatedStart, ended, complete, named, deleted)
const facts = fc
  .array(record, { minLength: 1, maxLength: 4 })
  .map((records) => records.reduce((all, next) => joinFacts(all, next)))

/** The winning facts, by version: a version identifies its body. */
function versions(call: CallFacts): (bigint | undefined)[] {
  return [call.start, call.end, call.name, call.deletion].map((fact: Fact | undefined) => fact?.version)
}

test('joining is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(facts, facts, facts, (a, b, c) => {
      expect(versions(joinFacts(a, b))).toEqual(versions(joinFacts(b, a)))
      expect(versions(joinFacts(joinFacts(a, b), c))).toEqual(versions(joinFacts(a, joinFacts(b, c))))
      expect(joinFacts(a, a)).toEqual(a)
      expect(joinFacts(joinFacts(a, b), b)).toEqual(joinFacts(a, b))
    }),
    { numRuns: 1000 },
  )
})

test('the arrival order of records does not change the call', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
      (records, random) => {
        const shuffled = records
          .map((each) => ({ each, key: random.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ each }) => each)
        const fold = (list: readonly CallFacts[]): CallFacts =>
          list.reduce((all, next) => joinFacts(all, next))
        expect(versions(fold(shuffled))).toEqual(versions(fold(records)))
        expect(versions(fold([...shuffled, ...records]))).toEqual(versions(fold(records)))
      },
    ),
    { numRuns: 1000 },
  )
})

test('records are included in their join, and inclusion follows from the versions alone', () => {
  fc.assert(
    fc.property(facts, facts, (a, b) => {
      const both = joinFacts(a, b)
      expect(isIncluded(a, both) && isIncluded(b, both)).toBe(true)
      expect(isIncluded(a, b)).toBe(
        versions(joinFacts(a, b)).every((version, i) => version === versions(b)[i]),
      )
    }),
    { numRuns: 1000 },
  )
})

const rank = fc.bigInt({ min: 0n, max: 70_000n })
const shown = fc
  .tuple(separateStart, facts)
  .map(([start, others]): CallFacts => ({ ...joinFacts(start, others), deletion: undefined }))

test('a row built from more facts replaces every row built from fewer', () => {
  fc.assert(
    fc.property(shown, shown, rank, rank, (a, b, m, n) => {
      const [low, high] = m < n ? [m, n] : [n, m]
      fc.pre(low < high && high < DELETED_RANK)
      expect(rowVersion(a, low) < rowVersion(b, high)).toBe(true)
      expect(versionRank(rowVersion(a, low))).toBe(low)
    }),
    { numRuns: 1000 },
  )
})

test('of two rows of one rank the one with the later end replaces the other', () => {
  fc.assert(
    fc.property(shown, ended, ended, rank, (call, one, other, n) => {
      const start: CallFacts = { ...call, end: undefined }
      const [a, b] = [joinFacts(start, one), joinFacts(start, other)]
      fc.pre(a.end!.ended_at < b.end!.ended_at)
      expect(rowVersion(a, n) < rowVersion(b, n)).toBe(true)
      expect(rowVersion(start, n) < rowVersion(a, n)).toBe(true)
    }),
  )
})

test('of two rows with the same end time the one with the winning end replaces the other', () => {
  fc.assert(
    fc.property(
      shown,
      fc.bigInt({ min: 0n, max: LATEST }),
      fc.string(),
      fc.string(),
      rank,
      (call, at, x, y, n) => {
        const start: CallFacts = { ...call, end: undefined }
        const row = (text: string): CallFacts => {
          const body = Buffer.from(text)
          return { ...start, end: { version: endVersion(at, body), body, ended_at: at } }
        }
        const [a, b] = [row(x), row(y)]
        fc.pre(x !== y)
        expect(rowVersion(a, n) < rowVersion(b, n)).toBe(a.end!.version < b.end!.version)
      },
    ),
    { numRuns: 1000 },
  )
})

test('a deletion replaces every other row, whatever its facts, and fits the column', () => {
  fc.assert(
    fc.property(facts, shown, rank, rank, deleted, (gone, call, m, n, deletion) => {
      const version = rowVersion(joinFacts(gone, deletion), m)
      expect(version > rowVersion(call, n)).toBe(true)
      expect(versionRank(version)).toBe(DELETED_RANK)
      expect(version < 2n ** 128n).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('every version fits a UInt128, and a fact is never version 0 unless it is a deletion', () => {
  fc.assert(
    fc.property(record, (call) => {
      for (const [i, version] of versions(call).entries()) {
        if (version === undefined) continue
        expect(version >= (i === 3 ? 0n : 1n) || call.name?.body.length === 0).toBe(true)
        expect(version < 2n ** 112n).toBe(true)
      }
    }),
  )
})

test('the start of a complete record beats a separate start, and its origin is known', () => {
  fc.assert(
    fc.property(complete, separateStart, generatedStart, (whole, start, late) => {
      expect(joinFacts(start, whole).start).toBe(whole.start)
      expect(joinFacts(late, start).start).toBe(start.start)
      expect([whole, start, late].map((call) => startOrigin(call.start as StartFact))).toEqual([1, 0, 0])
    }),
  )
})

test('of two starts with a generated time the earlier wins', () => {
  fc.assert(
    fc.property(generatedStart, generatedStart, (a, b) => {
      const [first, second] = [a.start!, b.start!]
      fc.pre(first.started_at < second.started_at)
      expect(joinFacts(a, b).start).toBe(first)
      expect(joinFacts(b, a).start).toBe(first)
    }),
  )
})

test('start and end of one complete record win or lose together', () => {
  fc.assert(
    fc.property(complete, complete, (a, b) => {
      const both = joinFacts(a, b)
      expect(both.start?.version).toBe(both.end?.version)
    }),
  )
})

test('a rename beats the name given at the start, and a later rename beats an earlier one', () => {
  const [start, other] = [Buffer.from('given'), Buffer.from('other')]
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: LATEST }), fc.bigInt({ min: 1n, max: LATEST }), (a, b) => {
      expect(nameVersion(a, other) > nameVersion(0n, start)).toBe(true)
      expect(nameVersion(a, start) < nameVersion(b, other)).toBe(
        a < b || (a === b && nameVersion(0n, start) < nameVersion(0n, other)),
      )
      expect(isNameOfStart({ version: nameVersion(0n, start), body: start })).toBe(true)
      expect(isNameOfStart({ version: nameVersion(a, start), body: start })).toBe(false)
    }),
  )
})
