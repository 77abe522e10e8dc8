import { expect, test } from 'vitest'
import {
  backupText,
  restoreText,
  selectBackupState,
  selectReplicatedTables,
  selectServerInfo,
} from '../../src/store/backup/backup-statements.ts'
import {
  copyText,
  selectChangedCalls,
  selectOtherRowCount,
  selectRestoredRowCount,
} from '../../src/store/backup/project-rows.ts'
import {
  checkPartSql,
  selectColumns,
  selectDatabase,
  selectDatabases,
  selectPartitions,
  selectParts,
  selectRowCount,
  selectTablesOf,
} from '../../src/store/backup/restored-database.ts'
import { HOSTILE, show } from './statements.ts'

test('statements of backups', async () => {
  await expect(
    show([
      ['backup state', selectBackupState(HOSTILE)],
      ['server info', selectServerInfo],
      ['tables', selectTablesOf('heddle')],
      ['database', selectDatabase('heddle')],
      ['parts', selectParts('heddle')],
      ['partitions', selectPartitions('heddle')],
      ['row count', selectRowCount('heddle', 'calls')],
      ['replicated tables', selectReplicatedTables('heddle')],
      ['columns', selectColumns('heddle', 'calls')],
      ['databases', selectDatabases('heddle_restore_', '_project')],
      ['project rows compared', selectRestoredRowCount('restored', HOSTILE, 'calls')],
      ['project rows compared: others', selectOtherRowCount('restored', HOSTILE, 'calls')],
      ['calls changed since backup', selectChangedCalls('restored', HOSTILE)],
      ['check part', checkPartSql('heddle', 'calls', '202601_1_1_0')],
    ]),
  ).toMatchFileSnapshot('snapshots/backup.sql')
})

test('BACKUP and RESTORE name their destinations as quoted texts', () => {
  const destination = { type: 'file', path: "/back'ups/one" } as const
  const base = { type: 'disk', disk: 'heddle_backup', path: 'base' } as const
  expect(backupText({ id: 'one', database: 'heddle', destination, base: undefined })).toBe(
    "BACKUP DATABASE heddle TO File('/back\\'ups/one') SETTINGS id = 'one' ASYNC",
  )
  expect(backupText({ id: 'two', database: 'heddle', destination, base })).toBe(
    "BACKUP DATABASE heddle TO File('/back\\'ups/one') SETTINGS id = 'two', base_backup = Disk('heddle_backup', 'base') ASYNC",
  )
  const restore = { id: 'r', database: 'heddle', into: 'fresh', destination: base, base: undefined }
  expect(restoreText({ ...restore, part: 'structure' })).toBe(
    "RESTORE DATABASE heddle AS fresh FROM Disk('heddle_backup', 'base') SETTINGS id = 'r', structure_only = 1 ASYNC",
  )
  expect(restoreText({ ...restore, part: 'data' })).toBe(
    "RESTORE DATABASE heddle AS fresh FROM Disk('heddle_backup', 'base') SETTINGS id = 'r', create_database = 0, create_table = 0 ASYNC",
  )
  expect(restoreText({ ...restore, part: 'data', allowsOtherDefinition: true })).toMatch(
    /create_table = 0, allow_different_table_def = 1 ASYNC$/,
  )
  expect(restoreText({ ...restore, base: destination, part: 'structure' })).toContain(
    " SETTINGS id = 'r', base_backup = File('/back\\'ups/one'), structure_only = 1 ASYNC",
  )
  expect(() => backupText({ id: 'x', database: 'x; DROP', destination, base: undefined })).toThrow(
    /identifier/,
  )
})

test('a copy names its project as a quoted text, and adds only rows that are missing', () => {
  expect(copyText('restored', "it's/one", 'feedback', ['project_id', 'id'], 'all')).toBe(
    `INSERT INTO feedback (project_id, id) SELECT project_id, id FROM restored.feedback FINAL WHERE project_id = 'it\\'s/one' AND _partition_id = 'all'
AND sipHash128(id, version) NOT IN (SELECT sipHash128(id, version) FROM feedback FINAL WHERE project_id = 'it\\'s/one' AND _partition_id = 'all')`,
  )
})
