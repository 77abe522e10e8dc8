import { expect, test } from 'vitest'
import { parseTopology } from './cluster-file.ts'

const server = (name: string) => ({ url: `http://${name}:8123`, native: `${name}:9000` })
const parse = (file: object) => parseTopology(JSON.stringify(file))

test('shards are numbered by their position', () => {
  const { shards, replication } = parse({
    shards: [{ replicas: [server('a')] }, { replicas: [server('b')] }],
  })
  expect(shards.map(({ number, generation, isJoining }) => [number, generation, isJoining])).toEqual([
    [1, 1, false],
    [2, 1, false],
  ])
  expect(replication).toBeUndefined()
})

test('tables are replicated if a shard has several replicas, or if the file says so', () => {
  const replicas = [server('a'), server('b')]
  expect(parse({ shards: [{ replicas }] }).replication?.path).toContain('{shard}')
  const path = '/heddle/{shard}/{table}'
  expect(parse({ shards: [{ replicas: [server('a')] }], replication: { path } }).replication).toEqual({
    path,
    replica: '{replica}',
  })
})

test.each([
  [{ shards: [] }, 'shards: a cluster needs at least one shard'],
  [{ shards: [{ replicas: [{ url: 'clickhouse:8123', native: 'a:9000' }] }] }, 'shards.0.replicas.0.url'],
  [{ shards: [{ replicas: [{ url: 'http://a', native: 'a' }] }] }, 'shards.0.replicas.0.native'],
  [{ shards: [{ replicas: [server('a'), server('a')] }] }, 'a server is named twice'],
  [{ shards: [{ replicas: [server('a')], generation: 2 }] }, 'the first shard must be of generation 1'],
  [
    {
      shards: [
        { replicas: [server('a')] },
        { replicas: [server('b')], generation: 2 },
        { replicas: [server('c')] },
      ],
    },
    'append new shards',
  ],
  [{ shards: [{ replicas: [server('a')] }, { replicas: [server('b')], joining: true }] }, 'later generation'],
  [
    {
      shards: [
        { replicas: [server('a')] },
        { replicas: [server('b')], generation: 2, joining: true },
        { replicas: [server('c')], generation: 2 },
      ],
    },
    'join together',
  ],
  [{ shards: [{ replicas: [server('a')], weight: 1 }] }, 'shards.0'],
])('%j is refused', (file, message) => {
  expect(() => parse(file)).toThrow(message)
})
