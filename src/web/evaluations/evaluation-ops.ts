/**
 * Op names of evaluation calls. A run is a call of `Evaluation.evaluate`; each of its trials is a call of
 * `Evaluation.predict_and_score`, whichever SDK or route recorded it. The server's side of this is
 * src/core/evaluations/evaluation-calls.ts.
 */
const RUN_OPS = ['Evaluation.evaluate']
/** The TypeScript SDK uses camel case. */
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
