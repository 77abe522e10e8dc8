import { expect, test } from 'vitest'
import { selectLastRun } from '../../src/store/jobs/job-runs.ts'
import { selectClaims } from '../../src/store/jobs/leases.ts'
import { killMutation, selectMutation } from '../../src/store/jobs/mutations.ts'
import { sql } from '../../src/store/query/sql.ts'
import { selectAnyRow, selectOldParts, selectPartitions } from '../../src/store/retention/delete-calls.ts'
import { selectDaysWithCalls, selectProjectsBefore } from '../../src/store/retention/disk.ts'
import {
  selectErasedIds,
  selectMatchingRows,
  selectOtherIds,
  selectProjectsOfUser,
  selectStoredCallCount,
  selectTableRowsWithRefs,
} from '../../src/store/retention/erase.ts'
import { selectErasures } from '../../src/store/retention/erasures.ts'
import { expireStatement, STRIPPED } from '../../src/store/retention/expire-payloads.ts'
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
  selectFirstBeyond,
  selectFullHour,
} from '../../src/store/retention/retention-plan.ts'
import { selectLastDeletion } from '../../src/store/retention/run-policy.ts'
import { insertSelected, selectedIds, selectKeptIds } from '../../src/store/retention/selected-calls.ts'
import {
  deleteOlderCopies,
  selectCallsWithParts,
  selectPartsOf,
  selectStripped,
} from '../../src/store/retention/strip-parts.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the statements of retention and erasure, by their name in `log_comment`. */

const ids = selectedIds(HOSTILE, 'run-1')

test('the statements of retention bind every value', async () => {
  await expect(
    show([
      ['retention policies', selectPolicies],
      ['retention policy', selectPolicy(HOSTILE)],
      ['select calls', insertSelected(HOSTILE, 'run-1', selectKeptIds(HOSTILE, 1n, [HOSTILE]))],
      [
        'select calls: facts',
        insertSelected(HOSTILE, 'run-1-parts', selectOldParts({ project_id: HOSTILE, run_id: 'run-1' }, 1n)),
      ],
      ['retention bytes', selectFullHour(HOSTILE, 1000)],
      ['retention bytes: in one hour', selectFirstBeyond(HOSTILE, 1n, 1000)],
      ['retention counts', selectDeletions(HOSTILE, 2n, 1n, 2n, ids)],
      ['retention rows', selectAnyRow(HOSTILE, 'call_parts', sql`1`)],
      ['partitions of calls', selectPartitions(HOSTILE, 'calls', sql`1`)],
      ['expire payloads', expireStatement(HOSTILE, '202611', sql`1`)],
      ['calls with parts', selectCallsWithParts(HOSTILE, ids)],
      ['calls without payloads', selectStripped(HOSTILE, [HOSTILE], STRIPPED)],
      ['parts of calls: to strip', selectPartsOf(HOSTILE, [HOSTILE])],
      ['expire parts', deleteOlderCopies(HOSTILE, 1n)],
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
      ['select calls: without the user', selectOtherIds(HOSTILE, 'run-1', HOSTILE)],
      ['erase', selectMatchingRows(HOSTILE, 'calls', sql`id`, ids)],
      ['erase: calls of a project', selectStoredCallCount(HOSTILE)],
      ['erase: refs in tables', selectTableRowsWithRefs(HOSTILE, ids)],
      ['erasures', selectErasures],
    ]),
  ).toMatchFileSnapshot('./snapshots/erasure.sql')
})
