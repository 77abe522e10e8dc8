import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Placement } from './placement.ts'
import type { Shard } from './topology.ts'

function shards(...generations: readonly number[]): Shard[] {
  return generations.map((generation, index) => ({
    number: index + 1,
    replicas: [{ url: `http://shard-${index + 1}`, native: `shard-${index + 1}:9000` }],
    generation,
    isJoining: false,
  }))
}

const ids = Array.from(
  { length: 10_000 },
  (_, index) => `0199a7c2-0000-7000-8000-${String(index).padStart(12, '0')}`,
)

test('the placement is part of the storage format', () => {
  const placement = new Placement(shards(1, 1, 1))
  expect(
    ids
      .slice(0, 16)
      .map((id) => placement.newCall('acme/bot', id))
      .join(''),
  ).toMatchInlineSnapshot(`"0211222201112112"`)
  expect(placement.newCall('acme/other', 'ünïcode-✓')).toMatchInlineSnapshot(`0`)
})

test.each([2, 3, 7])('%i shards get equal shares', (count) => {
  const placement = new Placement(shards(...Array.from({ length: count }, () => 1)))
  const calls = Array.from({ length: count }, () => 0)
  for (const id of ids) calls[placement.newCall('acme/bot', id)]!++
  for (const share of calls) expect(share / ids.length).toBeCloseTo(1 / count, 1)
})

test('a shard that is added takes new calls from all others and changes the place of no other call', () => {
  const before = new Placement(shards(1, 1))
  const after = new Placement(shards(1, 1, 2))
  const moved = ids.filter((id) => before.newCall('acme/bot', id) !== after.newCall('acme/bot', id))
  expect(moved.length / ids.length).toBeCloseTo(1 / 3, 1)
  for (const id of ids) {
    const candidates = after.candidates('acme/bot', id)
    expect(candidates[0]).toBe(before.newCall('acme/bot', id))
    expect(candidates.at(-1)).toBe(after.newCall('acme/bot', id))
    expect(candidates).toHaveLength(moved.includes(id) ? 2 : 1)
  }
})

test('a shard that is joining gets no new call, but is a candidate', () => {
  const joining = shards(1, 1, 2).map((shard) => ({ ...shard, isJoining: shard.generation === 2 }))
  const before = new Placement(shards(1, 1))
  const during = new Placement(joining)
  const after = new Placement(shards(1, 1, 2))
  for (const id of ids.slice(0, 1_000)) {
    expect(during.newCall('acme/bot', id)).toBe(before.newCall('acme/bot', id))
    expect(during.candidates('acme/bot', id)).toEqual(after.candidates('acme/bot', id))
  }
})

test('whatever was added when, every earlier place of a call is a candidate', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
      fc.string(),
      (added, id) => {
        const generations = added.flatMap((count, index) => Array.from({ length: count }, () => index + 1))
        const candidates = new Placement(shards(...generations)).candidates('acme/bot', id)
        for (let generation = 1; generation <= added.length; generation++) {
          const then = generations.filter((each) => each <= generation)
          expect(candidates).toContain(new Placement(shards(...then)).newCall('acme/bot', id))
        }
      },
    ),
  )
})
