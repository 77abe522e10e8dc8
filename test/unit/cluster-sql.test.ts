import { expect, test } from 'vitest'
import { selectPartRows } from '../../src/store/calls/write/call-parts.ts'
import { selectPresences } from '../../src/store/cluster/call-presence.ts'
import { selectIsUsed, selectRecordedShards } from '../../src/store/cluster/record-shards.ts'
import { selectOnSeveralShards } from '../../src/store/cluster/split-calls.ts'
import { sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the statements that only a cluster with added shards needs, for review. */
test('the statements of added shards bind every value and name the project of each call', async () => {
  const keys = [
    { project_id: 'acme/demo', id: HOSTILE },
    { project_id: 'other/project', id: 'b' },
  ]
  const calls = sql`remote(${'shard-3:9000'}, ${'heddle'}, ${'calls'}, ${'user'}, ${HOSTILE})`
  const period = { from: 1_700_000_000_000_000n, to: 1_700_000_060_000_000n }
  await expect(
    show([
      ['calls on shard', selectPresences(keys)],
      ['rows of parts', selectPartRows(keys)],
      ['calls on several shards', selectOnSeveralShards(calls, period)],
      ['cluster shards', selectRecordedShards],
      ['cluster shards: whether a server has calls', selectIsUsed(HOSTILE)],
    ]),
  ).toMatchFileSnapshot('./snapshots/cluster.sql')
})
