import { expect, test } from 'vitest'
import { selectStoredBefore, selectLogEnd, selectLive, selectLogged } from '../../src/store/live/live-log.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'
const cursor = { at: 1_794_715_200_000_000n, block: 17, offset: 4, step: 1 }
const order = { delayMs: 0 }
const delayed = { delayMs: 3_000 }

test('the statements of the live feed bind every value and read one project', async () => {
  await expect(
    show([
      ['live log', selectLive(PROJECT, cursor, { limit: 1_000, order })],
      ['live log: with a delay', selectLive(HOSTILE, cursor, { limit: 1_000, order: delayed })],
      ['live log by id', selectLogged(PROJECT, [HOSTILE], order)],
      ['live log by id: with a delay', selectLogged(PROJECT, [HOSTILE], delayed)],
      ['calls before the live log', selectStoredBefore(HOSTILE, [HOSTILE])],
      ['live log end', selectLogEnd(HOSTILE, order)],
    ]),
  ).toMatchFileSnapshot('./snapshots/live.sql')
})
