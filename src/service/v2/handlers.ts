import type { v2Operations } from '../../contract/v2/operations.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { V1Handlers } from './v1-handlers.ts'
import { datasetsHandlers } from './datasets.ts'
import { evalResultsHandlers } from './eval-results.ts'
import { evaluationRunsHandlers } from './evaluation-runs.ts'
import { evaluationsHandlers } from './evaluations.ts'
import { modelsHandlers } from './models.ts'
import { opsHandlers } from './ops.ts'
import { predictionsHandlers } from './predictions.ts'
import { scorersHandlers } from './scorers.ts'
import { scoresHandlers } from './scores.ts'

/** Builds the handlers of the v2 routes. */
export function v2Handlers(deps: Deps, v1: V1Handlers): Pick<Handlers, keyof typeof v2Operations> {
  return {
    ...opsHandlers(v1),
    ...datasetsHandlers(v1),
    ...scorersHandlers(v1),
    ...evaluationsHandlers(v1),
    ...modelsHandlers(v1),
    ...evaluationRunsHandlers(deps, v1),
    ...predictionsHandlers(deps, v1),
    ...scoresHandlers(deps, v1),
    ...evalResultsHandlers(deps, v1),
  }
}
