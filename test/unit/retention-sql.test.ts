import { expect, test } from 'vitest'
import { selectLastRun } from '../../src/store/jobs/job-runs.ts'
import { selectClaims } from '../../src/store/jobs/leases.ts'
import { killMutation, selectMutation } from '../../src/store/jobs/mutations.ts'
import { deleteRowsOfProjects, RowsOfProjects } from '../../src/store/query/scope.ts'
import { sql } from '../../src/store/query/sql.ts'
import { selectLastDeletion } from '../../src/store/retention/call-deletions.ts'
import {
  isSelected,
  selectAnyOldRow,
  selectOldParts,
  selectPartitions,
} from '../../src/store/retention/delete-calls.ts'
import {
  eraseLists,
  insertClosed,
  selectComplete,
  selectListed,
  selectLists,
  selectOpenRuns,
  selectUnfinishedCommands,
  timesOfRun,
} from '../../src/store/retention/deletion-runs.ts'
import { selectDaysWithCalls, selectProjectsBefore } from '../../src/store/retention/disk.ts'
import {
  selectAnyRow,
  selectErasedIds,
  selectMatchingRows,
  selectOwnIds,
  selectProjectsOfUser,
  selectStoredCallCount,
  selectTableRowsWithRefs,
} from '../../src/store/retention/erase.ts'
import { selectErasures } from '../../src/store/retention/erasures.ts'
import { expireStatement, STRIPPED } from '../../src/store/retention/expire-payloads.ts'
import { selectParts } from '../../src/store/retention/cold-parts.ts'
import { selectCallsTable } from '../../src/store/retention/table-ttl.ts'
import { selectPolicies, selectPolicy } from '../../src/store/retention/policies.ts'
import {
  applyDeletedMask,
  selectMarkedRows,
  selectMarkedTables,
  selectReplacedParts,
  selectReclaims,
} from '../../src/store/retention/reclaim.ts'
import {
  selectDeletions,
  selectDueProjects,
  selectFirstBeyond,
  selectFullHours,
} from '../../src/store/retention/retention-plan.ts'
import { selectedIds, selectKeptCalls, timesOf } from '../../src/store/retention/selected-calls.ts'
import {
  deleteOlderCopies,
  selectCallsWithParts,
  selectPartsOf,
  selectStripped,
} from '../../src/store/retention/strip-parts.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the statements of retention and erasure, by their name in `log_comment`. */

const ids = selectedIds(HOSTILE, 'run-1')
const cutoffs = [{ project_id: HOSTILE, callsBefore: 1n, payloadsBefore: 2n, keep_tags: [HOSTILE] }]
const run = {
  run_id: 'run-1',
  reason: 'retention',
  selectedAt: 3n,
  projects: [{ project_id: HOSTILE, callsBefore: 1n, payloadsBefore: 2n, calls: 3, payloads: 4 }],
} as const
const times = timesOfRun(run, 'calls_before')
const rows = RowsOfProjects.before(times)
const keys = [{ project_id: HOSTILE, id: HOSTILE }]

test('the statements of retention bind every value', async () => {
  await expect(
    show([
      ['retention policies', selectPolicies],
      ['retention policy', selectPolicy(HOSTILE)],
      ['projects with old calls: of policies', selectDueProjects(cutoffs)],
      ['select calls', selectKeptCalls(cutoffs)],
      ['select calls: facts', selectOldParts(run, times)],
      ['retention bytes', selectFullHours([{ project_id: HOSTILE, value: 1000 }])],
      ['retention bytes: in one hour', selectFirstBeyond([{ project_id: HOSTILE, hour: 1, rest: 1000 }])],
      ['retention counts', selectDeletions(cutoffs, { kept: sql`SELECT 1, 2`, storedBefore: 3n })],
      ['retention counts: preview', selectDeletions(cutoffs, { kept: sql`SELECT 1, 2`, hasBytes: true })],
      ['close deletion run', insertClosed('run-1')],
      ['deletion runs', selectOpenRuns],
      ['deletion runs: listed', selectListed('run-1')],
      ['deletion runs: complete', selectComplete('run-1')],
      ['deletion runs: lists', selectLists(600)],
      ['deletion runs: unfinished mutations', selectUnfinishedCommands],
      ['remove lists of calls', eraseLists(['run-1'])],
      ['retention rows', selectAnyOldRow('call_parts', RowsOfProjects.inList('run-1-parts'), sql`1`)],
      ['partitions of calls', selectPartitions(rows, sql`1`)],
      ['delete calls', sql`${deleteRowsOfProjects('calls', rows, '202611')} AND ${isSelected(run)}`],
      ['expire payloads', expireStatement(rows, '202611', sql`1`)],
      ['calls with parts', selectCallsWithParts(sql`SELECT 1, 2`)],
      ['calls without payloads', selectStripped(keys, STRIPPED)],
      ['parts of calls: to strip', selectPartsOf(keys)],
      [
        'expire parts',
        deleteOlderCopies(
          timesOf(cutoffs, ({ payloadsBefore }) => payloadsBefore),
          1n,
        ),
      ],
      ['last deletion', selectLastDeletion(HOSTILE)],
      ['marked rows', selectMarkedRows],
      ['marked tables', selectMarkedTables],
      ['replaced parts', selectReplacedParts],
      ['reclaim deleted calls', applyDeletedMask('202611')],
      ['mutation state', selectMutation('run-1')],
      ['mutation state: reclaims', selectReclaims],
      ['kill mutation', killMutation('run-1')],
      ['days with calls', selectDaysWithCalls(1n, 31)],
      ['projects with old calls', selectProjectsBefore(1n)],
      ['ttl of calls', selectCallsTable],
      ['cold parts', selectParts(HOSTILE)],
      ['job claims', selectClaims(HOSTILE)],
      ['job runs', selectLastRun(HOSTILE)],
    ]),
  ).toMatchFileSnapshot('./snapshots/retention.sql')
})

test('the statements of erasure bind every value', async () => {
  await expect(
    show([
      ['projects of end user', selectProjectsOfUser(HOSTILE)],
      ['select calls: of a user', selectErasedIds(HOSTILE, { kind: 'user', end_user: HOSTILE })],
      ['select calls: of traces', selectErasedIds(HOSTILE, { kind: 'traces', trace_ids: [HOSTILE] })],
      ['select calls: with the user', selectOwnIds(HOSTILE, 'run-1', HOSTILE)],
      ['erase: deleted calls', selectAnyRow(HOSTILE, 'calls', sql`1`)],
      ['erase', selectMatchingRows(HOSTILE, 'calls', sql`id`, ids)],
      ['erase: calls of a project', selectStoredCallCount(HOSTILE)],
      ['erase: refs in tables', selectTableRowsWithRefs(HOSTILE, ids)],
      ['erasures', selectErasures],
    ]),
  ).toMatchFileSnapshot('./snapshots/erasure.sql')
})
