import type { v2Operations } from '../src/contract/v2/operations.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import type { Example, ExampleContext } from './examples.ts'
import { projectPath } from './project-path.ts'

/** Example requests of the `/v2` routes; part of test/examples.ts. */

const path = ({ project_id }: ExampleContext) => projectPath(project_id)
const raw = (value: unknown): RawJson => RawJson.fromValue(value)

const page = (context: ExampleContext) => ({ ...path(context), limit: 10, offset: 0 })
const ref = ({ project_id }: ExampleContext, name: string): string =>
  `weave:///${project_id}/object/${name}:abc`

const op = (context: ExampleContext) => ({
  ...path(context),
  name: `op-${context.unique()}`,
  source_code: 'def f(): ...',
})
const dataset = (context: ExampleContext) => ({
  ...path(context),
  name: `dataset-${context.unique()}`,
  description: 'Questions',
  rows: [raw({ q: 1 }), raw({ q: 2 })],
})
const scorer = (context: ExampleContext) => ({
  ...path(context),
  name: `scorer-${context.unique()}`,
  description: 'Exact',
  op_source_code: 'def score(): ...',
})
const evaluation = (context: ExampleContext) => ({
  ...path(context),
  name: `evaluation-${context.unique()}`,
  description: 'All questions',
  dataset: ref(context, 'dataset'),
  scorers: [ref(context, 'scorer')],
  trials: 2,
  evaluation_name: 'nightly',
  eval_attributes: raw({ team: 'a' }),
})
const model = (context: ExampleContext) => ({
  ...path(context),
  name: `model-${context.unique()}`,
  description: 'Answers',
  source_code: 'class M: ...',
  attributes: raw({ temperature: 1.0 }),
})
const run = (context: ExampleContext) => ({
  ...path(context),
  evaluation: ref(context, 'evaluation'),
  model: ref(context, 'model'),
  source_evaluation_run_id: 'earlier',
})

export async function createRun(context: ExampleContext): Promise<string> {
  return (await context.client.call('evaluation_run_create', run(context))).evaluation_run_id
}

async function prediction(context: ExampleContext) {
  return {
    ...path(context),
    model: ref(context, 'model'),
    inputs: raw({ q: 1 }),
    output: raw('one'),
    evaluation_run_id: await createRun(context),
    genai_span_ref: [{ trace_id: 't', span_id: 's' }],
  }
}

async function score(context: ExampleContext) {
  const request = await prediction(context)
  const { prediction_id } = await context.client.call('prediction_create', request)
  const { evaluation_run_id } = request
  return {
    ...path(context),
    prediction_id,
    scorer: ref(context, 'scorer'),
    value: raw(0.5),
    evaluation_run_id,
  }
}

export const v2Examples: { readonly [Name in keyof typeof v2Operations]: Example<Name> } = {
  op_create: op,
  op_list: page,
  op_read: async (context) => {
    const { object_id, digest } = await context.client.call('op_create', op(context))
    return { ...path(context), object_id, digest }
  },
  op_delete: async (context) => {
    const { object_id, digest } = await context.client.call('op_create', op(context))
    return { ...path(context), object_id, digests: [digest] }
  },
  dataset_create: dataset,
  dataset_list: page,
  dataset_read: async (context) => {
    const { object_id, digest } = await context.client.call('dataset_create', dataset(context))
    return { ...path(context), object_id, digest }
  },
  dataset_delete: async (context) => {
    const { object_id, digest } = await context.client.call('dataset_create', dataset(context))
    return { ...path(context), object_id, digests: [digest] }
  },
  scorer_create: scorer,
  scorer_list: page,
  scorer_read: async (context) => {
    const { object_id, digest } = await context.client.call('scorer_create', scorer(context))
    return { ...path(context), object_id, digest }
  },
  scorer_delete: async (context) => {
    const { object_id, digest } = await context.client.call('scorer_create', scorer(context))
    return { ...path(context), object_id, digests: [digest] }
  },
  evaluation_create: evaluation,
  evaluation_list: page,
  evaluation_read: async (context) => {
    const { object_id, digest } = await context.client.call('evaluation_create', evaluation(context))
    return { ...path(context), object_id, digest }
  },
  evaluation_delete: async (context) => {
    const { object_id, digest } = await context.client.call('evaluation_create', evaluation(context))
    return { ...path(context), object_id, digests: [digest] }
  },
  model_create: model,
  model_list: page,
  model_read: async (context) => {
    const { object_id, digest } = await context.client.call('model_create', model(context))
    return { ...path(context), object_id, digest }
  },
  model_delete: async (context) => {
    const { object_id, digest } = await context.client.call('model_create', model(context))
    return { ...path(context), object_id, digests: [digest] }
  },
  evaluation_run_create: run,
  evaluation_run_list: async (context) => ({
    ...page(context),
    evaluations: [ref(context, 'evaluation')],
    evaluation_refs: [ref(context, 'evaluation')],
    models: [ref(context, 'model')],
    model_refs: [ref(context, 'model')],
    evaluation_run_ids: [await createRun(context)],
  }),
  evaluation_run_read: async (context) => ({
    ...path(context),
    evaluation_run_id: await createRun(context),
  }),
  evaluation_run_delete: async (context) => ({
    ...path(context),
    evaluation_run_ids: [await createRun(context)],
  }),
  evaluation_run_finish: async (context) => ({
    ...path(context),
    evaluation_run_id: await createRun(context),
    summary: raw({ usage: {} }),
  }),
  prediction_create: prediction,
  prediction_list: async (context) => ({ ...page(context), evaluation_run_id: await createRun(context) }),
  prediction_read: async (context) => {
    const { prediction_id } = await context.client.call('prediction_create', await prediction(context))
    return { ...path(context), prediction_id }
  },
  prediction_delete: (context) => ({
    ...path(context),
    prediction_ids: [context.unique(), context.unique()],
  }),
  prediction_finish: async (context) => {
    const { prediction_id } = await context.client.call('prediction_create', await prediction(context))
    return { ...path(context), prediction_id }
  },
  score_create: score,
  score_list: async (context) => ({ ...page(context), evaluation_run_id: await createRun(context) }),
  score_read: async (context) => {
    const { score_id } = await context.client.call('score_create', await score(context))
    return { ...path(context), score_id }
  },
  score_delete: (context) => ({ ...path(context), score_ids: [context.unique()] }),
  eval_results_query: async (context) => ({
    ...page(context),
    evaluation_call_ids: [await createRun(context)],
    evaluation_run_ids: [await createRun(context)],
    require_intersection: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    include_rows: true,
    include_summary: true,
    summary_require_intersection: false,
    include_predict_and_score_children: true,
    include_costs: true,
    sort_by: [{ field: 'scores.exact', direction: 'desc', evaluation_call_id: 'x', mode: 'difference' }],
    filters: [
      {
        evaluation_call_id: 'x',
        query: raw({ $expr: { $gt: [{ $getField: 'scores.exact' }, { $literal: 0.5 }] } }),
      },
    ],
    filter_logic_operator: 'and',
  }),
}
