import { PROJECT, write } from './api.ts'
import { CALL_IDS, writeCalls, writeSpan } from './calls.ts'

/** The records of a fixture, written through the HTTP API, with the names that the server gave them. */
export interface Names {
  readonly object: { readonly digest: string }
  readonly op: Version
  readonly dataset: Version
  readonly scorer: Version
  readonly model: Version
  readonly evaluation: Version
  readonly table: string
  readonly file: string
  readonly evaluation_run_id: string
  readonly prediction_id: string
  readonly score_id: string
  readonly queue_id: string
  readonly span_call_id: string
}

interface Version {
  readonly object_id: string
  readonly digest: string
}

const [entity = '', project = ''] = PROJECT.split('/')
const V2 = `/v2/${entity}/${project}`
const V1 = `/api/v1/projects/${entity}/${project}`

export async function writeRecords(url: string): Promise<Names> {
  await writeCalls(url)
  const span_call_id = await writeSpan(url)
  await writeFeedback(url)
  await writePrices(url)
  await writeRetention(url)
  const object = await writeObjects(url)
  const table = await writeTables(url)
  const file = await writeFile(url)
  const evaluation = await writeEvaluation(url)
  await linkDatasetRow(url, evaluation.dataset)
  return {
    object,
    table,
    file,
    span_call_id,
    ...evaluation,
    queue_id: await writeQueue(url),
  }
}

async function writeFeedback(url: string): Promise<void> {
  const weave_ref = `weave:///${PROJECT}/call/${CALL_IDS.root}`
  const create = (id: string, feedback_type: string, payload: object): Promise<unknown> =>
    write(url, 'POST', '/feedback/create', { project_id: PROJECT, id, weave_ref, feedback_type, payload })
  await create('019b0000-0000-7000-8000-0000000000f1', 'wandb.reaction.1', { emoji: '👍' })
  await create('019b0000-0000-7000-8000-0000000000f2', 'wandb.note.1', { note: 'Right, but slow ☃' })
  await create('019b0000-0000-7000-8000-0000000000f3', 'quality', { score: 0.5, label: 'good' })
  await create('019b0000-0000-7000-8000-0000000000f4', 'quality', { score: 1 })
  await write(url, 'POST', '/feedback/replace', {
    project_id: PROJECT,
    feedback_id: '019b0000-0000-7000-8000-0000000000f3',
    weave_ref,
    feedback_type: 'quality',
    payload: { score: 0.75, label: 'better' },
  })
  const query = {
    $expr: { $eq: [{ $getField: 'id' }, { $literal: '019b0000-0000-7000-8000-0000000000f4' }] },
  }
  await write(url, 'POST', '/feedback/purge', { project_id: PROJECT, query })
}

async function writePrices(url: string): Promise<void> {
  const price = (prompt: number, effective_date: string): object => ({
    project_id: PROJECT,
    costs: {
      'fixture-model': {
        prompt_token_cost: prompt,
        completion_token_cost: 0.002,
        effective_date,
        provider_id: 'own',
      },
    },
  })
  await write(url, 'POST', '/cost/create', price(0.001, '2026-01-01T00:00:00Z'))
  await write(url, 'POST', '/cost/create', price(0.0015, '2026-06-01T00:00:00Z'))
}

/** A policy that deletes nothing. */
async function writeRetention(url: string): Promise<void> {
  await write(url, 'PUT', `${V1}/model_budget`, { dollars_per_day: 2.5 })
  await write(url, 'PUT', `${V1}/retention`, {
    calls_max_age_seconds: null,
    calls_max_bytes: 1_000_000_000_000,
    payloads_max_age_seconds: null,
    payloads_max_bytes: null,
    keep_tags: ['vip'],
  })
}

async function writeObjects(url: string): Promise<{ digest: string }> {
  const create = (val: unknown): Promise<{ digest: string }> =>
    write(url, 'POST', '/obj/create', { obj: { project_id: PROJECT, object_id: 'settings', val } })
  const first = await create({ temperature: 1.0, text: 'first' })
  const second = await create({ temperature: 0.5, text: 'second ☃' })
  const third = await create({ text: 'deleted' })
  await write(url, 'POST', '/obj/delete', {
    project_id: PROJECT,
    object_id: 'settings',
    digests: [third.digest],
  })
  const version = `/objs/settings/versions/${first.digest}`
  await write(url, 'PUT', `${version}/tags`, { project_id: PROJECT, tags: ['reviewed', 'old'] })
  await write(url, 'POST', `${version}/tags/remove`, { project_id: PROJECT, tags: ['old'] })
  await write(url, 'PUT', '/objs/settings/aliases', {
    project_id: PROJECT,
    digest: second.digest,
    aliases: ['staging'],
  })
  return second
}

async function writeTables(url: string): Promise<string> {
  const rows = [
    { q: 'a', n: 1 },
    { q: 'b', n: 2.5 },
    { q: 'a', n: 1 },
  ]
  const { digest } = await write(url, 'POST', '/table/create', { table: { project_id: PROJECT, rows } })
  const updates = [{ append: { row: { q: 'c', n: null } } }, { pop: { index: 0 } }]
  const updated = await write(url, 'POST', '/table/update', {
    project_id: PROJECT,
    base_digest: digest,
    updates,
  })
  return updated['digest'] ?? ''
}

/** Longer than one chunk of the storage. */
async function writeFile(url: string): Promise<string> {
  const form = new FormData()
  form.append('project_id', PROJECT)
  form.append('file', new Blob([Buffer.alloc(530_000, 'bytes \u0000 of a file')]), 'file.bin')
  return (await write(url, 'POST', '/file/create', form))['digest'] ?? ''
}

type Evaluation = Omit<Names, 'object' | 'table' | 'file' | 'queue_id' | 'span_call_id'>

async function writeEvaluation(url: string): Promise<Evaluation> {
  const create = (path: string, body: object): Promise<Version> => write(url, 'POST', V2 + path, body)
  const ref = ({ object_id, digest }: Version, kind = 'object'): string =>
    `weave:///${PROJECT}/${kind}/${object_id}:${digest}`
  const op = await create('/ops', { name: 'lookup', source_code: 'def lookup(): ...' })
  const dataset = await create('/datasets', {
    name: 'questions',
    description: 'Orders',
    rows: [{ q: 1 }, { q: 2 }],
  })
  const scorer = await create('/scorers', { name: 'exact', op_source_code: 'def score(): ...' })
  const model = await create('/models', {
    name: 'bot',
    source_code: 'class Bot: ...',
    attributes: { temperature: 1.0 },
  })
  const evaluation = await create('/evaluations', {
    name: 'nightly',
    dataset: ref(dataset),
    scorers: [ref(scorer)],
    trials: 1,
  })
  const { evaluation_run_id = '' } = await write(url, 'POST', `${V2}/evaluation_runs`, {
    evaluation: ref(evaluation),
    model: ref(model),
  })
  const { prediction_id = '' } = await write(url, 'POST', `${V2}/predictions`, {
    model: ref(model),
    inputs: { q: 1 },
    output: 'one',
    evaluation_run_id,
  })
  const { score_id = '' } = await write(url, 'POST', `${V2}/scores`, {
    prediction_id,
    scorer: ref(scorer),
    value: 0.5,
    evaluation_run_id,
  })
  await write(url, 'POST', `${V2}/predictions/${prediction_id}/finish`, {})
  await write(url, 'POST', `${V2}/evaluation_runs/${evaluation_run_id}/finish`, { summary: { exact: 0.5 } })
  return { op, dataset, scorer, model, evaluation, evaluation_run_id, prediction_id, score_id }
}

async function linkDatasetRow(url: string, { object_id, digest }: Version): Promise<void> {
  const source = { source_kind: 'call', source_id: CALL_IDS.root, source_trace_id: '' }
  await write(url, 'POST', '/dataset_sources/link', {
    project_id: PROJECT,
    dataset_object_id: object_id,
    dataset_digest: digest,
    links: [{ row_digest: 'row', sources: [source], link_metadata: { note: 'good' } }],
  })
}

async function writeQueue(url: string): Promise<string> {
  const { id = '' } = await write(url, 'POST', `${V1}/queues`, { name: 'Refunds', scores: ['correct'] })
  const call_ids = [CALL_IDS.root, CALL_IDS.apart]
  await write(url, 'POST', `${V1}/queues/${id}/items`, { call_ids })
  await write(url, 'POST', `${V1}/queues/${id}/items/${CALL_IDS.root}/state`, { state: 'done' })
  return id
}
