import type { v2Operations } from '../src/contract/v2/operations.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import type { Example, Ground } from './examples.ts'

/** Examples of the typed routes; part of test/examples.ts. */

const raw = (value: unknown): RawJson => RawJson.of(value)

function place({ project_id }: Ground): { entity: string; project: string } {
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project }
}

const page = (ground: Ground) => ({ ...place(ground), limit: 10, offset: 0 })
const ref = ({ project_id }: Ground, name: string): string => `weave:///${project_id}/object/${name}:abc`

const op = (ground: Ground) => ({
  ...place(ground),
  name: `op-${ground.unique()}`,
  source_code: 'def f(): ...',
})
const dataset = (ground: Ground) => ({
  ...place(ground),
  name: `dataset-${ground.unique()}`,
  description: 'Questions',
  rows: [raw({ q: 1 }), raw({ q: 2 })],
})
const scorer = (ground: Ground) => ({
  ...place(ground),
  name: `scorer-${ground.unique()}`,
  description: 'Exact',
  op_source_code: 'def score(): ...',
})
const evaluation = (ground: Ground) => ({
  ...place(ground),
  name: `evaluation-${ground.unique()}`,
  description: 'All questions',
  dataset: ref(ground, 'dataset'),
  scorers: [ref(ground, 'scorer')],
  trials: 2,
  evaluation_name: 'nightly',
  eval_attributes: raw({ team: 'a' }),
})
const model = (ground: Ground) => ({
  ...place(ground),
  name: `model-${ground.unique()}`,
  description: 'Answers',
  source_code: 'class M: ...',
  attributes: raw({ temperature: 1.0 }),
})
const run = (ground: Ground) => ({
  ...place(ground),
  evaluation: ref(ground, 'evaluation'),
  model: ref(ground, 'model'),
  source_evaluation_run_id: 'earlier',
})

async function runOf(ground: Ground): Promise<string> {
  return (await ground.client.call('evaluation_run_create', run(ground))).evaluation_run_id
}

async function prediction(ground: Ground) {
  return {
    ...place(ground),
    model: ref(ground, 'model'),
    inputs: raw({ q: 1 }),
    output: raw('one'),
    evaluation_run_id: await runOf(ground),
    genai_span_ref: [{ trace_id: 't', span_id: 's' }],
  }
}

async function score(ground: Ground) {
  const request = await prediction(ground)
  const { prediction_id } = await ground.client.call('prediction_create', request)
  const { evaluation_run_id } = request
  return {
    ...place(ground),
    prediction_id,
    scorer: ref(ground, 'scorer'),
    value: raw(0.5),
    evaluation_run_id,
  }
}

export const v2Examples: { readonly [Name in keyof typeof v2Operations]: Example<Name> } = {
  op_create: op,
  op_list: page,
  op_read: async (ground) => {
    const { object_id, digest } = await ground.client.call('op_create', op(ground))
    return { ...place(ground), object_id, digest }
  },
  op_delete: async (ground) => {
    const { object_id, digest } = await ground.client.call('op_create', op(ground))
    return { ...place(ground), object_id, digests: [digest] }
  },
  dataset_create: dataset,
  dataset_list: page,
  dataset_read: async (ground) => {
    const { object_id, digest } = await ground.client.call('dataset_create', dataset(ground))
    return { ...place(ground), object_id, digest }
  },
  dataset_delete: async (ground) => {
    const { object_id, digest } = await ground.client.call('dataset_create', dataset(ground))
    return { ...place(ground), object_id, digests: [digest] }
  },
  scorer_create: scorer,
  scorer_list: page,
  scorer_read: async (ground) => {
    const { object_id, digest } = await ground.client.call('scorer_create', scorer(ground))
    return { ...place(ground), object_id, digest }
  },
  scorer_delete: async (ground) => {
    const { object_id, digest } = await ground.client.call('scorer_create', scorer(ground))
    return { ...place(ground), object_id, digests: [digest] }
  },
  evaluation_create: evaluation,
  evaluation_list: page,
  evaluation_read: async (ground) => {
    const { object_id, digest } = await ground.client.call('evaluation_create', evaluation(ground))
    return { ...place(ground), object_id, digest }
  },
  evaluation_delete: async (ground) => {
    const { object_id, digest } = await ground.client.call('evaluation_create', evaluation(ground))
    return { ...place(ground), object_id, digests: [digest] }
  },
  model_create: model,
  model_list: page,
  model_read: async (ground) => {
    const { object_id, digest } = await ground.client.call('model_create', model(ground))
    return { ...place(ground), object_id, digest }
  },
  model_delete: async (ground) => {
    const { object_id, digest } = await ground.client.call('model_create', model(ground))
    return { ...place(ground), object_id, digests: [digest] }
  },
  evaluation_run_create: run,
  evaluation_run_list: async (ground) => ({
    ...page(ground),
    evaluations: [ref(ground, 'evaluation')],
    evaluation_refs: [ref(ground, 'evaluation')],
    models: [ref(ground, 'model')],
    model_refs: [ref(ground, 'model')],
    evaluation_run_ids: [await runOf(ground)],
  }),
  evaluation_run_read: async (ground) => ({ ...place(ground), evaluation_run_id: await runOf(ground) }),
  evaluation_run_delete: async (ground) => ({
    ...place(ground),
    evaluation_run_ids: [await runOf(ground)],
  }),
  evaluation_run_finish: async (ground) => ({
    ...place(ground),
    evaluation_run_id: await runOf(ground),
    summary: raw({ usage: {} }),
  }),
  prediction_create: prediction,
  prediction_list: async (ground) => ({ ...page(ground), evaluation_run_id: await runOf(ground) }),
  prediction_read: async (ground) => {
    const { prediction_id } = await ground.client.call('prediction_create', await prediction(ground))
    return { ...place(ground), prediction_id }
  },
  prediction_delete: (ground) => ({ ...place(ground), prediction_ids: [ground.unique(), ground.unique()] }),
  prediction_finish: async (ground) => {
    const { prediction_id } = await ground.client.call('prediction_create', await prediction(ground))
    return { ...place(ground), prediction_id }
  },
  score_create: score,
  score_list: async (ground) => ({ ...page(ground), evaluation_run_id: await runOf(ground) }),
  score_read: async (ground) => {
    const { score_id } = await ground.client.call('score_create', await score(ground))
    return { ...place(ground), score_id }
  },
  score_delete: (ground) => ({ ...place(ground), score_ids: [ground.unique()] }),
  eval_results_query: async (ground) => ({
    ...page(ground),
    evaluation_call_ids: [await runOf(ground)],
    evaluation_run_ids: [await runOf(ground)],
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
