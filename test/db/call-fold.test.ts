import { expect, test } from 'vitest'
import { stampTime } from '../../src/core/calls/fact-versions.ts'
import { RecordClock } from '../../src/core/calls/record-clock.ts'
import { CALL_COLUMNS } from '../../src/store/calls/columns/call-columns.ts'
import { synchronizeClock } from '../../src/store/calls/write/clock-sync.ts'
import { encodeRows } from '../../src/store/calls/write/row-chunks.ts'
import { repairWritten } from '../../src/store/calls/write/unreconciled.ts'
import { CallWriter } from '../../src/store/calls/write/writer.ts'
import { projectNames, useServer } from '../harness.ts'
import { checkScenarios, type Nodes, scenario } from './call-fold-model.ts'
import { recentPeriod } from './recent-period.ts'

/**
 * Property test of the rule "the last acknowledged record wins, as a whole": whatever records of a call are sent, in
 * whatever order, number and batches, at either of two nodes whose clocks differ, readers see the last acknowledged start
 * and the last acknowledged end. A repeated record changes nothing. Concurrent records converge to one of them. What
 * is executed late overrides nothing that was acknowledged after it was received. Meanwhile ClickHouse merges all parts,
 * so that a row that may hide another does. 20 groups of 50 scenarios: 1,000 runs.
 */
const server = useServer()

const GROUPS = Math.max(4, Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 0) / 50)

test('the clock of a node follows that of ClickHouse', async () => {
  const { clock } = newWriter(3600)
  const difference = (): number => stampTime(clock.next()) - stampTime(new RecordClock().next())
  expect(difference()).toBeGreaterThan(3599e6)
  await synchronizeClock(server.heddle.deps.db, clock)
  // Stamps never go back, so those of an hour continue to count up from the last one.
  expect(difference()).toBeGreaterThan(3599e6)
  const { clock: fresh } = newWriter(3600)
  await synchronizeClock(server.heddle.deps.db, fresh)
  expect(Math.abs(stampTime(fresh.next()) - stampTime(new RecordClock().next()))).toBeLessThan(1e6)
})

/** A node whose clock is wrong by some seconds. */
const newWriter = (offsetSeconds: number): CallWriter => {
  const clock = new RecordClock(
    () => (performance.timeOrigin + performance.now()) * 1000 + offsetSeconds * 1e6,
  )
  return new CallWriter(server.heddle.deps.db, undefined, { clock })
}

const newProject = projectNames('fold/run')

function nodes(...writers: [CallWriter, CallWriter]): Nodes {
  const { db } = server.heddle.deps
  return {
    db,
    writers,
    newProject,
    insertLate: async (_node, facts) =>
      db.insertBinary('calls', CALL_COLUMNS, await encodeRows(writers[0].columns, facts)),
    sweep: async () => {
      await repairWritten(db, writers[0], recentPeriod())
    },
  }
}

test(
  'the last acknowledged record wins, at nodes with different clocks',
  { timeout: 3_600_000 },
  async () => {
    await checkScenarios(
      nodes(newWriter(0), newWriter(-5)),
      GROUPS / 2,
      scenario.map((each) => ({ ...each, late: undefined })),
    )
  },
)

test(
  'what is executed late overrides nothing acknowledged after it was received',
  { timeout: 3_600_000 },
  async () => {
    const writers: [CallWriter, CallWriter] = [newWriter(0), newWriter(0)]
    for (const { clock } of writers) {
      const now = Math.round(clock.now())
      clock.synchronize(BigInt(now), now, now)
    }
    await checkScenarios(nodes(...writers), GROUPS / 2, scenario)
  },
)
