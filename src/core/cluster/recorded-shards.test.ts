import { describe, expect, test } from 'vitest'
import { checkRecordedShards, type RecordedServer, type RecordedShard } from './recorded-shards.ts'
import type { Shard } from './topology.ts'

/** `1`: in use, of generation 1; `2j`: joining, of generation 2. */
const parse = (text: string): RecordedShard[] =>
  text.split(' ').map((word, index) => ({
    number: index + 1,
    generation: Number.parseInt(word, 10),
    isJoining: word.endsWith('j'),
  }))

const fileOf = (text: string): Shard[] =>
  parse(text).map((shard) => ({
    ...shard,
    replicas: [{ url: `http://server-${shard.number}`, native: `server-${shard.number}:9000` }],
  }))

/** The servers of the file, all but new ones with the same record. */
function servers(file: string, recorded: string | undefined, ...used: readonly number[]): RecordedServer[] {
  const known = recorded === undefined ? [] : parse(recorded)
  return parse(file).map(({ number }) => ({
    url: `http://server-${number}`,
    shard: number,
    recorded: number <= known.length ? { shard: number, shards: known } : undefined,
    isUsed: used.includes(number),
  }))
}

describe('a file is accepted', () => {
  test.each([
    ['a new cluster', '1 1', undefined, []],
    ['the same file again', '1 1', '1 1', [1, 2]],
    ['a joining shard', '1 1 2j', '1 1', [1, 2]],
    ['a shard that has joined', '1 1 2', '1 1 2j', [1, 2]],
    ['the file of the step before, while others are already in use', '1 1 2j', '1 1 2', [1, 2, 3]],
    ['a file without a shard that never was in use', '1 1', '1 1 2j', [1, 2]],
    ['a single server with calls, and a joining shard', '1 2j', undefined, [1]],
    ['a cluster whose servers were restored without their records', '1 1 2', undefined, [1, 2]],
  ] as const)('%s', (_name, file, recorded, used) => {
    checkRecordedShards(fileOf(file), servers(file, recorded, ...used))
  })
})

describe('a file is refused', () => {
  test.each([
    ['a shard that was not joining before', '1 1 2', '1 1', 'shard 3 is new: set "joining": true'],
    [
      'a shard of a generation in use',
      '1 1 1',
      '1 1',
      'its generation in the file of HEDDLE_CLUSTER must be 2',
    ],
    ['another generation', '1 1 3', '1 1 2', 'a generation never changes'],
    ['a shard is missing', '1 1', '1 1 2', 'shard 3 has calls, and is not in the file'],
    ['a single server with calls, and a shard in use', '1 2', undefined, '"joining": true'],
    ['a single server with calls, and a shard of generation 1', '1 1', undefined, '"generation": 2'],
  ] as const)('%s', (_name, file, recorded, message) => {
    expect(() => checkRecordedShards(fileOf(file), servers(file, recorded, 1))).toThrow(message)
  })

  test('a single server with calls that is not the first shard', () => {
    expect(() => checkRecordedShards(fileOf('1 2j'), servers('1 2j', undefined, 2))).toThrow(
      'as the first shard',
    )
  })

  test('shards in another order', () => {
    const [first, second] = servers('1 1', '1 1', 1, 2)
    const swapped = [
      { ...second!, shard: 1 },
      { ...first!, shard: 2 },
    ]
    expect(() => checkRecordedShards(fileOf('1 1'), swapped)).toThrow('keep the order of the shards')
  })
})
