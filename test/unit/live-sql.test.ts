import { expect, test } from 'vitest'
import { selectLive, selectLogEnds, selectLogged, selectStoredBefore } from '../../src/store/live/live-log.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const first = {
  project_id: PROJECT,
  cursor: { at: 1_794_715_200_000_000n, block: 17, offset: 4, step: 1 },
}
const second = {
  project_id: HOSTILE,
  cursor: { at: 1_794_715_100_000_000n, block: 12, offset: 0, step: 0 },
}
const records = [
  { project_id: PROJECT, ids: [HOSTILE] },
  { project_id: HOSTILE, ids: ['a', 'b'] },
]
const order = { delayMs: 0 }
const delayed = { delayMs: 3_000 }

test('the statements of the live feed bind every value and read the given projects only', async () => {
  await expect(
    show([
      ['live log', selectLive([first, second], { limit: 1_000, order })],
      ['live log: one project', selectLive([first], { limit: 1_000, order })],
      ['live log: with a delay', selectLive([second], { limit: 1_000, order: delayed })],
      ['live log by id', selectLogged(records, order)],
      ['live log by id: with a delay', selectLogged(records, delayed)],
      ['calls before the live log', selectStoredBefore(records)],
      ['live log end', selectLogEnds([PROJECT, HOSTILE], order)],
    ]),
  ).toMatchFileSnapshot('./snapshots/live.sql')
})
