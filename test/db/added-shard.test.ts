import { beforeAll, describe, expect, test, vi } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { CallFacts } from '../../src/core/calls/call-facts.ts'
import { RecordClock } from '../../src/core/calls/record-clock.ts'
import type { Shard } from '../../src/core/cluster/topology.ts'
import { CALL_COLUMNS } from '../../src/store/calls/columns/call-columns.ts'
import { ColumnExtractor } from '../../src/store/calls/columns/column-extractor.ts'
import { countCalls, findCall } from '../../src/store/calls/read/select-calls.ts'
import { deletionFacts, RecordEncoder, renameFacts } from '../../src/store/calls/write/record-encoder.ts'
import { encodeRows } from '../../src/store/calls/write/row-chunks.ts'
import { repairWritten } from '../../src/store/calls/write/unreconciled.ts'
import type { WriteContext } from '../../src/store/calls/write/write-context.ts'
import { CallWriter } from '../../src/store/calls/write/writer.ts'
import type { ClusterDatabase } from '../../src/store/cluster/cluster-database.ts'
import { ShardedCallWriter } from '../../src/store/cluster/sharded-call-writer.ts'
import { joinSplitCalls } from '../../src/store/cluster/split-calls.ts'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { migrate, readMigrations } from '../../src/store/database/migrations.ts'
import { deleteRows } from '../../src/store/query/scope.ts'
import { sql } from '../../src/store/query/sql.ts'
import { checkScenarios, type Nodes, scenario } from './call-fold-model.ts'
import { useGrownCluster } from './grown-cluster.ts'
import { recentPeriod } from './recent-period.ts'

/**
 * A shard is added to a cluster with calls: two shards of generation 1, one of generation 2. Node 0 already stores new calls
 * on the new shard, node 1 does not yet (`joining`). No call is lost, split or duplicated.
 */
const cluster = useGrownCluster()

let name: string
let current: ClusterDatabase
let joining: ClusterDatabase

beforeAll(async () => {
  name = cluster.newName()
  joining = await cluster.start(name, cluster.topology([1, 1, 2], { isJoining: true }))
  current = await cluster.start(name, cluster.topology([1, 1, 2]))
})

function newWriters(offsetSeconds = 0): [ShardedCallWriter, ShardedCallWriter] {
  const context = (offset: number) => ({
    clock: new RecordClock(() => (performance.timeOrigin + performance.now()) * 1000 + offset * 1e6),
  })
  return [
    new ShardedCallWriter(current, {}, context(0)),
    new ShardedCallWriter(joining, {}, context(offsetSeconds)),
  ]
}

let projects = 0

/** A project in which this id has two candidates. */
function projectOf(id: string): string {
  for (;;) {
    const project_id = `grown/run-${++projects}`
    if (current.candidates(project_id, id).length > 1) return project_id
  }
}

const NODES = [() => current, () => joining] as const

/** Stores rows as a writer does that is killed before it checks anything. */
async function insertUnchecked(node: 0 | 1, facts: readonly CallFacts[]): Promise<void> {
  const db = NODES[node]()
  for (const call of facts)
    await db.shards[db.shardOfNewCall(call.project_id, call.id)]?.insertBinary(
      'calls',
      CALL_COLUMNS,
      await encodeRows(new ColumnExtractor(), [call]),
    )
}

async function sweep(context: WriteContext): Promise<number> {
  for (const shard of current.shards) await repairWritten(shard, context, recentPeriod())
  return joinSplitCalls(current, context, recentPeriod())
}

describe('random records at a node before and a node after the change', () => {
  const GROUPS = Math.max(2, Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 0) / 50)

  function nodes(...writers: [ShardedCallWriter, ShardedCallWriter]): Nodes {
    return {
      db: current,
      writers,
      // The first call of a scenario has two candidates, with either style of ids.
      newProject: () => projectOf('call 0'),
      insertLate: insertUnchecked,
      sweep: async () => {
        await sweep(writers[0])
      },
    }
  }

  test(
    'the last acknowledged record wins, and each call is listed once',
    { timeout: 3_600_000 },
    async () => {
      await checkScenarios(
        nodes(...newWriters(-5)),
        GROUPS / 2,
        scenario.map((each) => ({ ...each, late: undefined })),
      )
    },
  )

  test('so it is with inserts that nobody checked', { timeout: 3_600_000 }, async () => {
    const writers = newWriters()
    for (const { clock } of writers) {
      const now = Math.round(clock.now())
      clock.synchronize(BigInt(now), now, now)
    }
    await checkScenarios(nodes(...writers), GROUPS / 2, scenario)
  })
})

const encoderOf = (writer: ShardedCallWriter): RecordEncoder =>
  new RecordEncoder({
    sent_by: 'u',
    now: 1_790_000_000_000_000n,
    newId: () => 'never',
    clock: writer.clock,
    columns: writer.columns,
  })

const STARTED = '2026-11-01T00:00:00Z'
const ENDED = '2026-11-01T00:00:01Z'

const startFacts = (writer: ShardedCallWriter, project_id: string, id: string, by = 'start'): CallFacts =>
  encoderOf(writer).start({
    project_id,
    id,
    op_name: 'op',
    trace_id: 't',
    started_at: STARTED,
    inputs: RawJson.fromText(`"${by}"`),
  }).facts

const endFacts = (writer: ShardedCallWriter, project_id: string, id: string, output = 'done'): CallFacts =>
  encoderOf(writer).end({ project_id, id, ended_at: ENDED, output: RawJson.fromText(`"${output}"`) })

/** Indexes of the shards with a visible row of the call. */
async function shardsOf(project_id: string, id: string): Promise<number[]> {
  const found = await Promise.all(
    current.shards.map((shard) =>
      shard.rows(sql`SELECT id FROM calls FINAL WHERE project_id = ${project_id} AND id = ${id}`, {
        name: 'test',
        kind: 'point',
      }),
    ),
  )
  return found.flatMap((rows, index) => rows.map(() => index))
}

const readCall = (project_id: string, id: string): ReturnType<typeof findCall> =>
  findCall(current, project_id, id)

test('a call stays on the shard of its first record, whichever node stores the others', async () => {
  const [after, before] = newWriters()
  for (const [first, second, shardIndex] of [
    [before, after, 0],
    [after, before, 1],
  ] as const) {
    const project_id = projectOf('a')
    const expected = current.candidates(project_id, 'a')[shardIndex]
    await first.write([startFacts(first, project_id, 'a')])
    expect(await shardsOf(project_id, 'a')).toEqual([expected])
    await second.write([endFacts(second, project_id, 'a')])
    await second.write([renameFacts(project_id, 'a', 'renamed', second.clock)])
    expect(await shardsOf(project_id, 'a')).toEqual([expected])
    expect(await readCall(project_id, 'a')).toMatchObject({ output: '"done"', display_name: 'renamed' })
    await second.write([deletionFacts(project_id, 'a', second.clock)])
    expect(await shardsOf(project_id, 'a')).toEqual([])
    await first.write([startFacts(first, project_id, 'a', 'again')])
    expect(await readCall(project_id, 'a')).toBeUndefined()
  }
})

test('an end that arrives before its start is joined with it, whichever nodes store them', async () => {
  const [after, before] = newWriters()
  for (const [first, second] of [
    [before, after],
    [after, before],
  ] as const) {
    const project_id = projectOf('a')
    await first.write([endFacts(first, project_id, 'a')])
    await second.write([startFacts(second, project_id, 'a')])
    expect(await readCall(project_id, 'a')).toMatchObject({ output: '"done"', inputs: '"start"' })
    expect(await shardsOf(project_id, 'a')).toHaveLength(1)
  }
})

interface SeenCall {
  readonly id: string
  readonly inputs: string
  readonly output: string
}

/** The visible calls of a project on each shard. */
function readShards(project_id: string): Promise<SeenCall[][]> {
  const statement = sql`SELECT id, inputs, output FROM calls FINAL WHERE project_id = ${project_id}`
  return Promise.all(
    current.shards.map((shard) => shard.rows<SeenCall>(statement, { name: 'test', kind: 'point' })),
  )
}

test('nodes before and after the change store the same new calls at the same time', async () => {
  const [after, before] = newWriters()
  const project_id = projectOf('call 0')
  const ids = Array.from({ length: 80 }, (_, n) => `call ${n}`)
  for (let i = 0; i < ids.length; i += 20) {
    const batch = ids.slice(i, i + 20)
    await Promise.all([
      after.write(batch.map((id) => startFacts(after, project_id, id))),
      before.write(batch.map((id) => endFacts(before, project_id, id))),
    ])
  }
  const seen = (await readShards(project_id)).flat()
  expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  for (const { inputs, output } of seen) expect([inputs, output]).toEqual(['"start"', '"done"'])
  const marks = sql`SELECT id FROM call_ids WHERE project_id = ${project_id} AND is_part = 1 AND version = 0`
  const moved = await current.shards[2]?.rows(marks, { name: 'test', kind: 'point' })
  expect(moved?.length, 'calls that were on two shards').toBeGreaterThan(5)
})

describe('a writer is killed between its insert and its check', () => {
  test.each([
    [0, 1],
    [1, 0],
  ] as const)('node %i stored the call, node %i is killed', async (stored, killed) => {
    const writers = newWriters()
    const project_id = projectOf('a')
    await writers[stored].write([startFacts(writers[stored], project_id, 'a')])
    await writers[stored].write([endFacts(writers[stored], project_id, 'a')])
    await insertUnchecked(killed, [startFacts(writers[killed], project_id, 'a')])
    expect(await shardsOf(project_id, 'a')).toHaveLength(2)
    expect(await sweep(writers[0])).toBe(1)
    expect(await shardsOf(project_id, 'a')).toEqual([current.candidates(project_id, 'a')[0]])
    expect(await readCall(project_id, 'a')).toMatchObject({ output: '"done"' })
    expect(await sweep(writers[0])).toBe(0)
  })

  test('and the insert ended before the views', async () => {
    const [after, before] = newWriters()
    const project_id = projectOf('a')
    await before.write([startFacts(before, project_id, 'a')])
    await insertUnchecked(0, [startFacts(after, project_id, 'a')])
    const added = current.shards[current.shardOfNewCall(project_id, 'a')]!
    for (const table of ['call_ids', 'live_log'] as const)
      await added.command(deleteRows(project_id, table), 'as if ClickHouse was killed')
    expect(await shardsOf(project_id, 'a')).toHaveLength(2)
    expect(await sweep(after)).toBe(1)
    expect(await shardsOf(project_id, 'a')).toEqual([current.candidates(project_id, 'a')[0]])
  })

  test('and the added shard has only the end and the name of the call', async () => {
    const [after, before] = newWriters()
    const project_id = projectOf('a')
    await after.write([renameFacts(project_id, 'a', 'renamed', after.clock)])
    await after.write([endFacts(after, project_id, 'a')])
    await insertUnchecked(1, [startFacts(before, project_id, 'a')])
    expect(await sweep(after)).toBe(1)
    expect(await readCall(project_id, 'a')).toMatchObject({ output: '"done"', display_name: 'renamed' })
    expect(await sweep(after)).toBe(0)
  })

  test('the next record of the call repairs it, without a sweep', async () => {
    const [after, before] = newWriters()
    const project_id = projectOf('a')
    await insertUnchecked(0, [startFacts(after, project_id, 'a', 'first')])
    await insertUnchecked(1, [startFacts(before, project_id, 'a', 'second')])
    await after.write([endFacts(after, project_id, 'a')])
    expect(await shardsOf(project_id, 'a')).toEqual([current.candidates(project_id, 'a')[0]])
    expect(await readCall(project_id, 'a')).toMatchObject({ inputs: '"second"', output: '"done"' })
  })

  test('a deleted call stays deleted', async () => {
    const [after, before] = newWriters()
    const project_id = projectOf('a')
    await before.write([deletionFacts(project_id, 'a', before.clock)])
    await insertUnchecked(0, [startFacts(after, project_id, 'a')])
    await sweep(after)
    expect(await readCall(project_id, 'a')).toBeUndefined()
  })

  test('a row inserted after the call was moved is hidden by the next sweep', async () => {
    const [after, before] = newWriters()
    const project_id = projectOf('a')
    await insertUnchecked(0, [startFacts(after, project_id, 'a')])
    await before.write([endFacts(before, project_id, 'a')])
    await insertUnchecked(1, [startFacts(before, project_id, 'a')])
    expect(await sweep(after)).toBe(1)
    await insertUnchecked(0, [startFacts(after, project_id, 'a', 'other')])
    expect(await shardsOf(project_id, 'a')).toHaveLength(2)
    expect(await sweep(after)).toBe(1)
    expect(await shardsOf(project_id, 'a')).toEqual([current.candidates(project_id, 'a')[0]])
  })
})

test('only ids with several candidates cost statements on other shards', async () => {
  const statements: string[] = []
  const writer = new ShardedCallWriter(current)
  const watch = current.shards.map((shard, index) => {
    const spy = vi.spyOn(shard, 'rows')
    return () => {
      statements.push(...spy.mock.calls.map(([, options]) => `${index}: ${options.name}`))
      spy.mockRestore()
    }
  })
  const only = Array.from({ length: 100 }, (_, n) => `only ${n}`).find(
    (id) => current.candidates('grown/cost', id).length === 1,
  )!
  const shard = current.shardOfNewCall('grown/cost', only)
  await writer.write([startFacts(writer, 'grown/cost', only)])
  await findCall(current, 'grown/cost', only)
  for (const collect of watch) collect()
  expect(statements).toEqual([`${shard}: calls known by id`, `${shard}: call by id`])
})

test('one server becomes the first of two shards, and its calls stay where they are', async () => {
  const own = cluster.newName()
  const single = cluster.openFirst(own)
  await createDatabase(single.settings)
  await migrate(single, await readMigrations())
  const ids = Array.from({ length: 24 }, (_, n) => `old ${n}`)
  const old = new CallWriter(single)
  const encode = (id: string): CallFacts =>
    new RecordEncoder({
      sent_by: 'u',
      now: 1n,
      newId: () => '',
      clock: old.clock,
      columns: old.columns,
    }).start({
      project_id: 'grown/single',
      id,
      op_name: 'op',
      started_at: STARTED,
    }).facts
  await old.write(ids.map(encode))
  const step = (isJoining: boolean) => cluster.topology([1, 2], { isJoining })
  await expect(cluster.start(own, cluster.topology([1, 1]))).rejects.toThrow('"generation": 2')
  await expect(cluster.start(own, step(false))).rejects.toThrow('"joining": true')
  const first = await cluster.start(own, step(true))
  const second = await cluster.start(own, step(false))
  for (const db of [first, second]) {
    const writer = new ShardedCallWriter(db)
    const output = db === first ? 'first' : 'second'
    await writer.write(ids.map((id) => endFacts(writer, 'grown/single', id, output)))
    const found = await Promise.all(ids.map((id) => findCall(db, 'grown/single', id)))
    expect(found.map((call) => [call?.id, call?.output])).toEqual(ids.map((id) => [id, `"${output}"`]))
    expect(await countCalls(db, 'grown/single', [], undefined)).toBe(ids.length)
  }
  const count = { name: 'test', kind: 'point' } as const
  expect(await second.shards[1]?.rows(sql`SELECT id FROM calls`, count)).toEqual([])
  // New calls are stored on both.
  const writer = new ShardedCallWriter(second)
  await writer.write(ids.map((id) => startFacts(writer, 'grown/new', id)))
  const shares = await Promise.all(
    second.shards.map((shard) => countCalls(shard, 'grown/new', [], undefined)),
  )
  expect(Math.min(...shares)).toBeGreaterThan(2)
  expect(await countCalls(second, 'grown/new', [], undefined)).toBe(ids.length)
})

describe('a node is not started with a file that would not find all calls', () => {
  test('a file without a shard that is in use', async () => {
    await expect(cluster.start(name, cluster.topology([1, 1]))).rejects.toThrow('shard 3 has calls')
  })

  test('shards in another order', async () => {
    const { shards, ...topology } = cluster.topology([1, 1, 2])
    const [a, b, c] = shards as unknown as [Shard, Shard, Shard]
    const swapped = [{ ...b, number: 1 }, { ...a, number: 2 }, c] as const
    await expect(cluster.start(name, { ...topology, shards: swapped })).rejects.toThrow('keep the order')
  })

  test('the file of the step before is accepted, and changes nothing', async () => {
    await cluster.start(name, cluster.topology([1, 1, 2], { isJoining: true }))
    await expect(cluster.start(name, cluster.topology([1, 1]))).rejects.toThrow('shard 3 has calls')
    await cluster.start(name, cluster.topology([1, 1, 2]))
  })
})
