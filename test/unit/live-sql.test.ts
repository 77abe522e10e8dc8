import { expect, test } from 'vitest'
import { selectBefore, selectFrontier, selectLive, selectSaid } from '../../src/store/live/live-log.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const cursor = { at: 1_794_715_200_000_000n, block: 17, offset: 4, step: 1 }
const order = { settleMs: 0 }
const settled = { settleMs: 3_000 }

test('the statements of the live feed bind every value and read one project', async () => {
  await expect(
    show([
      ['live log', selectLive(PROJECT, cursor, { limit: 1_000, order })],
      ['live log: after it has settled', selectLive(HOSTILE, cursor, { limit: 1_000, order: settled })],
      ['live log by id', selectSaid(PROJECT, [HOSTILE], order)],
      ['live log by id: after it has settled', selectSaid(PROJECT, [HOSTILE], settled)],
      ['calls before the live log', selectBefore(HOSTILE, [HOSTILE])],
      ['live log end', selectFrontier(HOSTILE, order)],
    ]),
  ).toMatchFileSnapshot('./snapshots/live.sql')
})
