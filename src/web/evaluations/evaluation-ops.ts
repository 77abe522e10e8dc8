/**
 * How evaluations stand among calls: a run is a call of `Evaluation.evaluate`, and each trial in it one of
 * `Evaluation.predict_and_score`, whichever SDK or route recorded them. src/core/evaluations/evaluation-calls.ts knows it too.
 */
const RUN_OPS = ['Evaluation.evaluate']
/** The TypeScript SDK has its own spelling. */
const TRIAL_OPS = ['Evaluation.predict_and_score', 'Evaluation.predictAndScore']

export function runOpNames(project_id: string): string[] {
  return anyVersion(project_id, RUN_OPS)
}

export function trialOpNames(project_id: string): string[] {
  return anyVersion(project_id, TRIAL_OPS)
}

function anyVersion(project_id: string, names: readonly string[]): string[] {
  return names.flatMap((name) => [`weave:///${project_id}/op/${name}:*`, name])
}
