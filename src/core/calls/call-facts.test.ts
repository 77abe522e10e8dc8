import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CallFacts,
  type EndFact,
  joinFacts,
  latestStamp,
  type StartFact,
  winningVersion,
} from './call-facts.ts'
import {
  contentOfRow,
  DELETED_RANK,
  DELETED_VERSION,
  factVersion,
  hasGeneratedTime,
  hasSameContent,
  NODE_RANGE,
  newStamp,
  rankedVersion,
  recordContent,
  restamped,
  rowContent,
  startHash,
  unrankedVersion,
  versionRank,
  versionStamp,
} from './fact-versions.ts'

/** Few times and contents, so that ties and repetitions occur. */
const stamp = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 51 - 1 })),
    fc.nat({ max: NODE_RANGE - 1 }),
  )
  .map(([micros, node]) => newStamp(micros, node))
const content = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat())
const version = fc.tuple(stamp, content).map(([at, what]) => factVersion(at, what))

test('a version keeps its stamp and content, and is ordered by the stamp', () => {
  fc.assert(
    fc.property(stamp, stamp, content, content, (a, b, x, y) => {
      const [one, other] = [factVersion(a, x), factVersion(b, y)]
      expect(versionStamp(one)).toBe(a)
      expect(one < 2n ** 114n).toBe(true)
      expect(hasSameContent(one, other)).toBe(x === y)
      if (a !== b) expect(one < other).toBe(a < b)
      expect(restamped(one, b)).toBe(factVersion(b, x))
    }),
  )
})

test('the last received version wins, whatever the order in which versions are read', () => {
  fc.assert(
    fc.property(fc.uniqueArray(version, { minLength: 1, maxLength: 8 }), fc.nat(), (versions, seed) => {
      const winner = winningVersion(versions)!
      const shuffled = versions.toSorted(
        (a, b) => Number((a * BigInt(seed + 1)) % 7n) - Number((b * BigInt(seed + 1)) % 7n),
      )
      expect(winningVersion(shuffled)).toBe(winner)
      expect(winningVersion([...versions, ...versions])).toBe(winner)
      const last = versions.reduce((a, b) => (b > a ? b : a))
      expect(hasSameContent(winner, last)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('a repetition keeps the first version, but not if another record came between', () => {
  const at = (micros: number, what: number): bigint => factVersion(newStamp(micros, 0), what)
  expect(winningVersion([at(1, 7), at(5, 7)])).toBe(at(1, 7))
  expect(winningVersion([at(5, 7), at(1, 7), at(9, 7)])).toBe(at(1, 7))
  expect(winningVersion([at(1, 7), at(3, 8), at(5, 7)])).toBe(at(5, 7))
  expect(winningVersion([])).toBeUndefined()
})

const CALL = { project_id: 'acme/demo', id: 'call' } as const
const body = Buffer.alloc(9)
const start = version.map((v): StartFact => ({ version: v, body, started_at: 0n, sent_by: 'u' }))
const end = version.map((v): EndFact => ({ version: v, body, ended_at: 0n }))

test('of records that arrive together the last start and the last end remain', () => {
  fc.assert(
    fc.property(start, start, end, (a, b, e) => {
      const joined = joinFacts({ ...CALL, start: a, end: e }, { ...CALL, start: b })
      expect(joined.start).toBe(hasSameContent(a.version, b.version) ? a : b)
      expect(joined.end).toBe(e)
      expect(joinFacts(CALL, joined)).toEqual(joined)
    }),
  )
})

test('the latest stamp is that of any start, end or rename', () => {
  const none = { start: [], end: [], rename: [], deletion: [], content: [] }
  expect(latestStamp(none)).toBe(0n)
  for (const kind of ['start', 'end', 'rename'] as const) {
    const versions = { ...none, [kind]: [factVersion(newStamp(3, 1), 9), factVersion(newStamp(2, 1), 9)] }
    expect(latestStamp(versions)).toBe(newStamp(3, 1))
  }
})

test('of two rows with the same start the one with the later end replaces the other', () => {
  fc.assert(
    fc.property(version, version, version, (s, a, b) => {
      fc.pre(versionStamp(a) < versionStamp(b))
      expect(unrankedVersion(s, a) < unrankedVersion(s, b)).toBe(true)
      expect(unrankedVersion(s, undefined) < unrankedVersion(s, a)).toBe(true)
    }),
  )
})

test('equal records make rows of equal content, whenever they were received', () => {
  fc.assert(
    fc.property(stamp, stamp, content, fc.option(content, { nil: undefined }), (a, b, x, y) => {
      const row = (at: bigint): [bigint, bigint | undefined] => [
        factVersion(at, x),
        y === undefined ? undefined : factVersion(at, y),
      ]
      expect(contentOfRow(unrankedVersion(...row(a)))).toBe(rowContent(...row(b)))
      if (y === undefined) expect(unrankedVersion(...row(a))).toBe(unrankedVersion(...row(b)))
      expect(startHash({ version: row(a)[0], sent_by: 'u' })).toBe(
        startHash({ version: row(b)[0], sent_by: 'u' }),
      )
    }),
  )
})

test('a row reconciled from more facts replaces every row from fewer, and a deletion every other', () => {
  const count = fc.bigInt({ min: 1n, max: 200_000n })
  fc.assert(
    fc.property(count, count, fc.boolean(), fc.boolean(), version, version, (m, n, p, q, s, e) => {
      fc.pre(m < n)
      expect(rankedVersion(m, p) < rankedVersion(n, q)).toBe(true)
      expect(unrankedVersion(s, e) < rankedVersion(m, p)).toBe(true)
      expect(versionRank(unrankedVersion(s, e))).toBe(0n)
      expect(versionRank(rankedVersion(n, q)) < DELETED_RANK).toBe(true)
      expect(rankedVersion(n, q) < DELETED_VERSION && DELETED_VERSION < 2n ** 128n).toBe(true)
      // The live feed reads from these bits whether a call has ended.
      const isEnded = (row: bigint): boolean => BigInt.asUintN(56, row >> 56n) % 2n === 1n
      expect(isEnded(rankedVersion(n, q))).toBe(q)
    }),
    { numRuns: 1000 },
  )
})

test('the content tells records apart, without the time that the server generated', () => {
  const given = Buffer.from('12345678rest')
  const other = Buffer.from('87654321rest')
  const name = Buffer.from('name')
  const contentOf = (bytes: Buffer, named?: Buffer, isGenerated = false): bigint =>
    factVersion(1n, recordContent(bytes, named, isGenerated ? 8 : undefined))
  expect(hasSameContent(contentOf(given), contentOf(other))).toBe(false)
  expect(hasSameContent(contentOf(given), contentOf(given, name))).toBe(false)
  expect(hasSameContent(contentOf(given, undefined, true), contentOf(other, undefined, true))).toBe(true)
  expect(hasSameContent(contentOf(given), contentOf(given, undefined, true))).toBe(false)
  expect(hasGeneratedTime(contentOf(given, undefined, true))).toBe(true)
  expect(hasGeneratedTime(contentOf(given))).toBe(false)
})

test('facts of a call without records are none', () => {
  const nothing: CallFacts = CALL
  expect(joinFacts(nothing, nothing)).toEqual({ ...CALL })
})
