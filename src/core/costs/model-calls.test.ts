import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsThatCount, type UsedCall } from './model-calls.ts'

const NO_TOKENS = { plainPrompt: 0n, cacheRead: 0n, cacheCreation: 0n, requests: 0n, total: 0n }

function call(id: string, parent_id: string, prompt: number, more: Partial<UsedCall> = {}): UsedCall {
  const tokens = { ...NO_TOKENS, prompt: BigInt(prompt), completion: 20n }
  const usage = new Map([['gpt-4o', tokens]])
  const times = { started: 1_000_000n, ended: 2_000_000n }
  return { id, parent_id, trace_id: 't', op_name: 'chat', isSpan: true, usage, ...times, ...more }
}

const counted = (...calls: UsedCall[]): string[] =>
  callsThatCount(calls)
    .map(({ id }) => id)
    .sort()

test('a parent that repeats the usage of its children counts instead of them', () => {
  const usage = new Map([['gpt-4o', { ...NO_TOKENS, prompt: 200n, completion: 40n }]])
  const parent = call('agent', '', 0, { usage })
  expect(counted(parent, call('a', 'agent', 100), call('b', 'agent', 100))).toEqual(['agent'])
})

test('a parent that reports less than its children leaves the count to them', () => {
  expect(counted(call('agent', '', 50), call('a', 'agent', 100), call('b', 'agent', 100))).toEqual(['a', 'b'])
})

test('two spans of one request count once, one inside the other or beside it', () => {
  expect(counted(call('outer', '', 110), call('inner', 'outer', 100, { op_name: 'messages' }))).toEqual([
    'outer',
  ])
  const inside = { op_name: 'messages', started: 1_000_100n, ended: 1_999_000n }
  expect(counted(call('a', 'root', 100), call('b', 'root', 110, inside))).toEqual(['b'])
})

test('requests beside each other with the same usage count each', () => {
  expect(counted(call('a', 'root', 100), call('b', 'root', 100))).toEqual(['a', 'b'])
  const later = { op_name: 'messages', started: 3_000_000n, ended: 4_000_000n }
  expect(counted(call('a', 'root', 100), call('b', 'root', 100, later))).toEqual(['a', 'b'])
})

/** Model calls in a tree of calls, each of which repeats the sum of its children, as SDKs do, or reports nothing. */
const someTree = fc.record({
  parents: fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }),
  repeats: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  isRootLate: fc.boolean(),
  seed: fc.nat(),
})

test('the total of a trace is the sum over its model calls, in any order, with a root that is late', () => {
  fc.assert(
    fc.property(someTree, ({ parents, repeats, isRootLate, seed }) => {
      const parentOf = parents.map((parent, n) => (n === 0 ? -1 : parent % n))
      const children = parentOf.map((_, n) =>
        parentOf.flatMap((parent, child) => (parent === n ? [child] : [])),
      )
      const tokens = (n: number): number =>
        children[n]!.length === 0 ? 10 + n : children[n]!.reduce((sum, child) => sum + tokens(child), 0)
      // An SDK reports at every call; an instrumentation at the model calls, and at some of their parents.
      const isSdk = repeats[0] === true
      const reports = (n: number): boolean =>
        isSdk ||
        children[n]!.length === 0 ||
        (repeats[n] === true && children[n]!.every((child) => children[child]!.length === 0))
      const calls = parentOf.flatMap((parent, n) => {
        if (!reports(n) || (isRootLate && n === 0 && children[0]!.length > 0)) return []
        const usage = new Map([['m', { ...NO_TOKENS, prompt: BigInt(tokens(n)), completion: 0n }]])
        return [call(`c${n}`, parent < 0 ? '' : `c${parent}`, 0, { usage, isSpan: !isSdk })]
      })
      const order = calls.toSorted((a, b) => hash(a.id, seed) - hash(b.id, seed))
      const total = callsThatCount(order).reduce((sum, { usage }) => sum + usage.get('m')!.prompt, 0n)
      expect(Number(total)).toBe(tokens(0))
    }),
    { numRuns: 500 },
  )
})

function hash(text: string, seed: number): number {
  return Buffer.from(text).reduce((sum, byte) => Math.imul(sum ^ byte, 0x01_00_01_93), seed)
}
