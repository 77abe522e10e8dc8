import { datasetsOperations } from './datasets.ts'
import { evalResultsOperations } from './eval-results.ts'
import { evaluationRunsOperations } from './evaluation-runs.ts'
import { evaluationsOperations } from './evaluations.ts'
import { modelsOperations } from './models.ts'
import { opsOperations } from './ops.ts'
import { predictionsOperations } from './predictions.ts'
import { scorersOperations } from './scorers.ts'
import { scoresOperations } from './scores.ts'

/** Typed routes of Weave's v2 API: views of the same objects and calls that the other operations read and write. */
export const v2Operations = {
  ...opsOperations,
  ...datasetsOperations,
  ...scorersOperations,
  ...evaluationsOperations,
  ...modelsOperations,
  ...evaluationRunsOperations,
  ...predictionsOperations,
  ...scoresOperations,
  ...evalResultsOperations,
}
