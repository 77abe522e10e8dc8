import { expect, test } from 'vitest'
import { LOG_START, selectBudget, selectSpend } from '../../src/store/models/spend.ts'
import { selectOutdatedSecrets, selectSecret, selectSecrets } from '../../src/store/models/secrets.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/bot'

test('the statements of model access bind every value', async () => {
  await expect(
    show([
      ['secrets list', selectSecrets(PROJECT)],
      ['secret', selectSecret(PROJECT, HOSTILE)],
      ['secrets of other keys', selectOutdatedSecrets(HOSTILE)],
      ['model budget', selectBudget(PROJECT)],
      ['model spend', selectSpend(PROJECT, HOSTILE, LOG_START)],
    ]),
  ).toMatchFileSnapshot('./snapshots/models.sql')
})
