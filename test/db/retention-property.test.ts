import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { NO_RETENTION, type RetentionPolicy } from '../../src/core/retention/retention-policy.ts'
import { RetentionJob } from '../../src/service/retention/retention-job.ts'
import { type Sql, sql } from '../../src/store/query/sql.ts'
import { resumeRuns } from '../../src/store/retention/resume-runs.ts'
import { projectNames, useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/**
 * Random projects, policies, calls and faults: whatever happens to the mutations of a run, retention deletes exactly what a small
 * model says. `HEDDLE_RETENTION_RUNS` sets the number of runs, `HEDDLE_RETENTION_SEED` repeats them.
 */

const RUNS = Number(process.env['HEDDLE_RETENTION_RUNS'] ?? '8')
const SEED = Number(process.env['HEDDLE_RETENTION_SEED'] ?? Date.now() % 1_000_000)
const SECONDS_PER_RUN = 600

const server = useServer({ retentionIntervalSeconds: 0 })
const newProject = projectNames('org/model')
const DAY_SECONDS = 86_400

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FAULTS = ['none', 'held', 'killed', 'list gone', 'runs gone', 'interrupted', 'taken over'] as const
type Fault = (typeof FAULTS)[number]
const TABLES = ['calls', 'calls', 'call_ids', 'call_parts'] as const

class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomFrom(seed)
  }

  below(n: number): number {
    return Math.floor(this.#next() * n)
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  chance(share: number): boolean {
    return this.#next() < share
  }
}

interface ModelCall {
  readonly id: string
  readonly trace_id: string
  readonly days: number
  readonly isTagged: boolean
  readonly hasFeedback: boolean
  readonly isRenamed: boolean
  readonly started: number
}

interface ModelProject {
  readonly project_id: string
  readonly policy: RetentionPolicy
  readonly calls: readonly ModelCall[]
}

/** Far from all limits, because cutoffs advance in steps. */
const AGES = [1, 10, 25, 35, 45, 70, 100]

function randomProject(random: Random): ModelProject {
  const limit = (days: readonly (number | null)[]): number | null => {
    const chosen = random.one(days)
    return chosen === null ? null : chosen * DAY_SECONDS
  }
  // Kept calls count against a limit of bytes, so that each run would delete more.
  const hasBytes = random.chance(0.25)
  const traces = Array.from({ length: 4 }, () => randomUUID())
  const calls = Array.from({ length: 3 + random.below(10) }, (_, index) => {
    const days = random.one(AGES)
    return {
      id: randomUUID(),
      trace_id: random.one(traces),
      days,
      isTagged: !hasBytes && random.chance(0.15),
      hasFeedback: !hasBytes && random.chance(0.1),
      isRenamed: random.chance(0.2),
      started: Date.now() - days * DAY_SECONDS * 1000 - index * 1000,
    }
  })
  const bytes = SIZE * (1 + random.below(calls.length + 2)) + 1
  return {
    project_id: newProject(),
    calls,
    policy: hasBytes
      ? { ...NO_RETENTION, calls_max_bytes: bytes }
      : {
          ...NO_RETENTION,
          calls_max_age_seconds: limit([null, 30, 60]),
          payloads_max_age_seconds: limit([null, 20, 40]),
          keep_tags: random.chance(0.5) ? ['golden'] : [],
        },
  }
}

const documents = ({ isTagged }: Pick<ModelCall, 'isTagged'>) => ({
  attributes: isTagged ? { tags: ['golden'] } : { tags: ['silver'] },
  inputs: { text: 'a secret' },
  output: 'a secret',
  summary: {},
})
const SIZE = Object.values(documents({ isTagged: false }))
  .map((document) => JSON.stringify(document).length)
  .reduce((a, b) => a + b)

interface Expected {
  /** Ids of the calls that stay. */
  readonly left: ReadonlySet<string>
  /** Those of them without payloads. */
  readonly stripped: ReadonlySet<string>
}

function expectedOf({ policy, calls }: ModelProject): Expected {
  const isKeeper = (call: ModelCall): boolean =>
    call.hasFeedback || (call.isTagged && policy.keep_tags.includes('golden'))
  const keptTraces = new Set(calls.filter(isKeeper).map(({ trace_id }) => trace_id))
  const newestFirst = [...calls].sort((a, b) => b.started - a.started)
  const maxCalls = policy.calls_max_bytes === null ? Infinity : Math.floor(policy.calls_max_bytes / SIZE)
  const isBeyond = new Set(newestFirst.slice(maxCalls).map(({ id }) => id))
  const isOlder = ({ days }: ModelCall, seconds: number | null): boolean =>
    seconds !== null && days * DAY_SECONDS > seconds
  const isGone = (call: ModelCall): boolean =>
    !keptTraces.has(call.trace_id) && (isOlder(call, policy.calls_max_age_seconds) || isBeyond.has(call.id))
  const left = calls.filter((call) => !isGone(call))
  const stripped = left.filter(
    (call) => !keptTraces.has(call.trace_id) && isOlder(call, policy.payloads_max_age_seconds),
  )
  return {
    left: new Set(left.map(({ id }) => id)),
    stripped: new Set(stripped.map(({ id }) => id)),
  }
}

async function write({ project_id, calls, policy }: ModelProject): Promise<void> {
  const batch = calls.map((call) => ({
    project_id,
    id: call.id,
    trace_id: call.trace_id,
    op_name: 'op',
    started_at: new Date(call.started).toISOString(),
    ended_at: new Date(call.started + 1).toISOString(),
    ...documents(call),
  }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  await Promise.all(
    calls.flatMap(({ id, isRenamed, hasFeedback }) => [
      ...(isRenamed
        ? [server.post('/call/update', { project_id, call_id: id, display_name: 'A name' })]
        : []),
      ...(hasFeedback
        ? [
            server.post('/feedback/create', {
              project_id,
              weave_ref: `weave:///${project_id}/call/${id}`,
              feedback_type: 'custom',
              payload: { n: 1 },
            }),
          ]
        : []),
    ]),
  )
  await server.send(`/api/v1/projects/${project_id}/retention`, policy, { method: 'PUT' })
}

/** What is stored of the projects on all shards, as ids by table. */
async function stored(projects: readonly ModelProject[]) {
  const project_ids = projects.map(({ project_id }) => project_id)
  const read = async (statement: Sql): Promise<string[]> => {
    const rows = await Promise.all(
      server.heddle.deps.db.shards.map((shard) =>
        shard.rows<{ id: string }>(statement, { name: 'test', kind: 'scan' }),
      ),
    )
    return rows
      .flat()
      .map(({ id }) => id)
      .sort()
  }
  const isOf = sql`project_id IN ${project_ids}`
  const withText = sql`position(inputs, 'secret') > 0 AND position(output, 'secret') > 0`
  return {
    calls: await read(sql`SELECT DISTINCT id FROM calls FINAL WHERE ${isOf}`),
    texts: await read(sql`SELECT DISTINCT id FROM calls FINAL WHERE ${isOf} AND ${withText}`),
    anyText: await read(
      sql`SELECT DISTINCT id FROM calls WHERE ${isOf} AND position(concat(inputs, output, attributes_normalized), 'secret') > 0`,
    ),
    locations: await read(sql`SELECT DISTINCT id FROM call_ids WHERE ${isOf} AND is_part = 0`),
    parts: await read(sql`SELECT DISTINCT id FROM call_parts WHERE ${isOf}`),
    partsWithText: await read(
      sql`SELECT DISTINCT id FROM call_parts WHERE ${isOf} AND position(body, 'secret') > 0`,
    ),
  }
}

function newJob(errors: unknown[]): RetentionJob {
  return new RetentionJob(server.heddle.deps, {
    intervalSeconds: 3600,
    diskWarnPercent: 0,
    diskDeletePercent: 0,
    onDiskWarning: () => {},
    onError: (error) => errors.push(error),
  })
}

interface Outcome {
  readonly calls: number
  readonly payloads: number
}

/** Waits for the lease, if another process has it. */
async function run(errors: unknown[]): Promise<Outcome> {
  const job = newJob(errors)
  for (;;) {
    let hasFailed = false
    const outcome = await job.run().catch((error: unknown) => {
      errors.push(error)
      hasFailed = true
      return undefined
    })
    if (outcome !== undefined) return outcome
    // It may have failed after its deletions were complete and counted, when it removed lists of calls.
    if (hasFailed) return job.deleted
    await sleep(200)
  }
}

async function onEveryServer(statement: Sql): Promise<void> {
  for (const db of server.heddle.deps.db.everyServer) await db.command(statement, 'test')
}

async function heldMutations(): Promise<number> {
  const statement = sql`SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND NOT is_done`
  const rows = await Promise.all(
    server.heddle.deps.db.everyServer.map((db) => db.rows(statement, { name: 'test', kind: 'point' })),
  )
  return rows.flat().length
}

const STOP = {
  calls: sql`SYSTEM STOP MERGES calls`,
  call_ids: sql`SYSTEM STOP MERGES call_ids`,
  call_parts: sql`SYSTEM STOP MERGES call_parts`,
}
const START = {
  calls: sql`SYSTEM START MERGES calls`,
  call_ids: sql`SYSTEM START MERGES call_ids`,
  call_parts: sql`SYSTEM START MERGES call_parts`,
}

/** Runs the job with the fault, and returns what it counted. */
async function runWith(fault: Fault, random: Random): Promise<Outcome> {
  if (fault === 'none') return run([])
  if (fault === 'interrupted') return runInterrupted(random.below(12))
  const table = random.one(TABLES)
  await onEveryServer(STOP[table])
  let isDone = false
  const running = run([]).finally(() => {
    isDone = true
  })
  const others: Outcome[] = []
  try {
    await waitUntil(async () => isDone || (await heldMutations()) > 0, 30_000)
    if (fault === 'killed')
      await onEveryServer(sql`KILL MUTATION WHERE database = currentDatabase() AND NOT is_done SYNC`)
    if (fault === 'list gone') await onEveryServer(sql`TRUNCATE TABLE selected_calls`)
    if (fault === 'runs gone') await onEveryServer(sql`TRUNCATE TABLE deletion_runs`)
    // Whatever has a TTL that has passed disappears now.
    for (const each of [sql`selected_calls`, sql`deletion_runs`])
      await onEveryServer(sql`OPTIMIZE TABLE ${each} FINAL`)
    if (fault === 'taken over') {
      const second = resumeRuns(
        server.heddle.deps.db,
        async () => {},
        () => {},
      )
      await onEveryServer(START[table])
      others.push(await second)
    }
  } finally {
    await onEveryServer(START[table])
  }
  return sum([await running, ...others])
}

/** After this many commands the process sends no more, as if it had been killed. */
async function runInterrupted(commands: number): Promise<Outcome> {
  let left = commands
  const spies = server.heddle.deps.db.shards.map((shard) => {
    const command = shard.command.bind(shard)
    return vi.spyOn(shard, 'command').mockImplementation(async (...args) => {
      if (left-- <= 0) throw new Error('the process was killed')
      await command(...args)
    })
  })
  const outcome = await run([])
  for (const spy of spies) spy.mockRestore()
  return outcome
}

function sum(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((a, b) => ({ calls: a.calls + b.calls, payloads: a.payloads + b.payloads }), {
    calls: 0,
    payloads: 0,
  })
}

const sorted = (ids: Iterable<string>): string[] => [...ids].sort()

const totals = { runs: 0, left: 0, gone: 0, stripped: 0 }

afterAll(() => console.log(`retention model, seeds from ${SEED}: ${JSON.stringify(totals)}`))

/** In order, so that each fault is tested even in a few runs. */
const CASES = Array.from({ length: RUNS }, (_, index) => ({
  seed: SEED + index,
  fault: FAULTS[index % FAULTS.length]!,
}))

test.each(CASES)(
  'retention deletes what the model says: seed $seed, $fault',
  { timeout: SECONDS_PER_RUN * 1000 },
  async ({ seed, fault }) => {
    const random = new Random(seed)
    const projects = Array.from({ length: 4 }, () => randomProject(random))
    await Promise.all(projects.map(write))
    const first = await runWith(fault, random)
    const errors: unknown[] = []
    const second = await run(errors)
    expect(errors).toEqual([])
    const expected = projects.map(expectedOf)
    const calls = projects.flatMap((project) => project.calls)
    const left = new Set(expected.flatMap((each) => [...each.left]))
    const stripped = new Set(expected.flatMap((each) => [...each.stripped]))
    const renamed = calls.filter(({ id, isRenamed }) => isRenamed && left.has(id)).map(({ id }) => id)
    const texts = sorted(left).filter((id) => !stripped.has(id))
    expect(await stored(projects)).toEqual({
      calls: sorted(left),
      texts,
      anyText: texts,
      locations: sorted(left),
      parts: sorted(renamed),
      partsWithText: sorted(renamed.filter((id) => !stripped.has(id))),
    })
    // A run that lost its list, or that two processes carried out, does not know what it deleted.
    if (!['list gone', 'runs gone', 'taken over'].includes(fault))
      expect(sum([first, second])).toEqual({ calls: calls.length - left.size, payloads: stripped.size })
    expect(await run([])).toEqual({ calls: 0, payloads: 0 })
    for (const { project_id } of projects)
      await server.send(`/api/v1/projects/${project_id}/retention`, NO_RETENTION, { method: 'PUT' })
    totals.runs++
    totals.left += left.size
    totals.gone += calls.length - left.size
    totals.stripped += stripped.size
  },
)
