import { expect, test } from 'vitest'
import {
  selectDatabase,
  selectDisks,
  selectKnownSettings,
  selectMachineMemory,
  selectMemoryLimit,
  selectServerVersion,
  selectTableParts,
  selectUnboundedLogTables,
} from '../../src/store/database/server-state.ts'
import { selectServerKind } from '../../src/store/database/supported-clickhouse.ts'
import { HOSTILE, show } from './statements.ts'

test('the statements that read the state of ClickHouse bind every value', async () => {
  await expect(
    show([
      ['table parts', selectTableParts(HOSTILE)],
      ['disks', selectDisks],
      ['server kind', selectServerKind(HOSTILE)],
      ['server version', selectServerVersion],
      ['known settings', selectKnownSettings([HOSTILE])],
      ['unbounded log tables', selectUnboundedLogTables],
      ['memory limit', selectMemoryLimit],
      ['machine memory', selectMachineMemory],
      ['database exists', selectDatabase(HOSTILE)],
    ]),
  ).toMatchFileSnapshot('./snapshots/server-state.sql')
})
