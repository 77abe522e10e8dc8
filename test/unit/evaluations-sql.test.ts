import { expect, test } from 'vitest'
import {
  selectExampleScores,
  selectScoreSamples,
  selectVariances,
} from '../../src/store/evaluations/example-scores.ts'
import { selectRunRecords } from '../../src/store/evaluations/run-records.ts'
import {
  selectJudgedCalls,
  selectLabeledScores,
  selectScorers,
} from '../../src/store/evaluations/scorer-labels.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the statements for comparisons, gates and reports of scorers. */

const PROJECT = 'acme/demo'

test('statements of evaluations', async () => {
  const runs = { project_id: PROJECT, baseline: HOSTILE, run: 'run' }
  const scores = [
    { name: 'exact', path: ['exact', HOSTILE], isShare: true },
    { name: 'length', path: ['length'], isShare: false },
  ]
  const source = {
    project_id: PROJECT,
    scorer: HOSTILE,
    path: ['score', HOSTILE],
    label: HOSTILE,
    labelPath: [HOSTILE],
    threshold: 0.5,
  }
  const text = show([
    ['score samples', selectScoreSamples(runs)],
    ['example scores', selectExampleScores(runs, scores)],
    ['score variances', selectVariances(runs, scores)],
    ['run records', selectRunRecords(PROJECT, HOSTILE)],
    ['labeled scores', selectLabeledScores(source)],
    ['judged calls', selectJudgedCalls(source)],
    ['scorers', selectScorers(PROJECT)],
  ])
  await expect(text).toMatchFileSnapshot('snapshots/evaluations.sql')
})
