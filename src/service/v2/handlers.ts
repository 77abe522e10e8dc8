import type { v2Operations } from '../../contract/v2/operations.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Classic } from './classic.ts'
import { datasetsHandlers } from './datasets.ts'
import { evalResultsHandlers } from './eval-results.ts'
import { evaluationRunsHandlers } from './evaluation-runs.ts'
import { evaluationsHandlers } from './evaluations.ts'
import { modelsHandlers } from './models.ts'
import { opsHandlers } from './ops.ts'
import { predictionsHandlers } from './predictions.ts'
import { scorersHandlers } from './scorers.ts'
import { scoresHandlers } from './scores.ts'

export function v2Handlers(deps: Deps, classic: Classic): Pick<Handlers, keyof typeof v2Operations> {
  return {
    ...opsHandlers(classic),
    ...datasetsHandlers(classic),
    ...scorersHandlers(classic),
    ...evaluationsHandlers(classic),
    ...modelsHandlers(classic),
    ...evaluationRunsHandlers(deps, classic),
    ...predictionsHandlers(deps, classic),
    ...scoresHandlers(deps, classic),
    ...evalResultsHandlers(deps, classic),
  }
}
