import { expect, test } from 'vitest'
import { selectDisks, selectTableParts } from '../../src/store/database/server-state.ts'
import { HOSTILE, show } from './statements.ts'

test('the statements that read the state of ClickHouse bind every value', async () => {
  await expect(
    show([
      ['table parts', selectTableParts(HOSTILE)],
      ['disks', selectDisks],
    ]),
  ).toMatchFileSnapshot('./snapshots/server-state.sql')
})
