import type { evaluationComparisonOperations } from '../src/contract/evaluations/comparison.ts'
import type { gateOperations } from '../src/contract/evaluations/gates.ts'
import type { scorerReportOperations } from '../src/contract/evaluations/scorer-reports.ts'
import type { Example, ExampleContext } from './examples.ts'
import { projectPath } from './project-path.ts'
import { createRun } from './v2-examples.ts'

/** Example requests for comparisons, gates and reports; part of test/examples.ts. */

type Operation =
  | keyof typeof evaluationComparisonOperations
  | keyof typeof gateOperations
  | keyof typeof scorerReportOperations

const path = ({ project_id }: ExampleContext) => projectPath(project_id)

export const evaluationExamples: { readonly [Name in Operation]: Example<Name> } = {
  evaluation_compare: async (context) => ({
    ...path(context),
    baseline: await createRun(context),
    run: await createRun(context),
    lower_is_better: ['latency'],
    include_variance: true,
  }),
  evaluation_gate: async (context) => ({
    ...path(context),
    baseline: await createRun(context),
    run: await createRun(context),
    rules: {
      max_regression: 0.02,
      scores: { 'exact.correct': { max_regression: 0.01, min: 0.8, max: 1, lower_is_better: false } },
      quarantine: [{ example: 'abc', until: '2027-01-31', reason: 'two right answers' }],
    },
  }),
  evaluation_gates: (context) => path(context),
  evaluation_baseline_set: async (context) => ({ ...path(context), run: await createRun(context) }),
  evaluation_baselines: (context) => path(context),
  scorers_checked: (context) => path(context),
  scorer_report: (context) => ({
    ...path(context),
    scorer: 'relevance',
    path: 'score',
    label: 'correct',
    label_path: null,
    threshold: 0.7,
  }),
}
