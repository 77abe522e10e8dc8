import { createHash } from 'node:crypto'
import { post, PROJECT, send, type Server } from './api.ts'

/** Digests that the API cannot list, so that the test can read them from both servers. */
export interface SeededDigests {
  readonly tables: string[]
  readonly files: string[]
}

const BATCH_SIZE = 1_000
const START = Date.UTC(2026, 0, 1)

/** Seeds a project with every kind of record, including edge cases. */
export async function seed(server: Server, callCount: number, rowCount: number): Promise<SeededDigests> {
  const files = await seedFiles(server)
  const { tables, refs } = await seedObjects(server, files, rowCount)
  await seedCalls(server, callCount, refs, files)
  await seedFeedback(server, Math.ceil(callCount / 20), refs)
  await seedPrices(server)
  return { tables, files }
}

async function seedFiles(server: Server): Promise<string[]> {
  const contents = [Buffer.alloc(0), Buffer.alloc(3 * 1024 * 1024, 'weft')]
  for (let i = 0; i < 60; i++) contents.push(createHash('sha512').update(`file ${i}`).digest())
  const digests: string[] = []
  for (const content of contents) {
    const form = new FormData()
    form.append('project_id', PROJECT)
    form.append('file', new Blob([new Uint8Array(content)]), 'content')
    const { digest } = (await (await send(server, '/files/create', form)).json()) as { digest: string }
    digests.push(digest)
  }
  return digests
}

interface Refs {
  readonly ops: string[]
  readonly dataset: string
  readonly bareTable: string
  readonly annotation: string
  readonly scorer: string
}

const ref = (kind: string, name: string, digest: string) => `weave:///${PROJECT}/${kind}/${name}:${digest}`
const media = (file: string | undefined) => ({
  _type: 'CustomWeaveType',
  weave_type: { type: 'PIL.Image.Image' },
  files: { 'image.png': file },
})
const op = (file: string | undefined) => ({ ...media(file), weave_type: { type: 'Op' } })

async function publish(server: Server, object_id: string, val: unknown): Promise<string> {
  return (
    await post<{ digest: string }>(server, '/obj/create', { obj: { project_id: PROJECT, object_id, val } })
  ).digest
}

async function putLabel(server: Server, path: string, body: object): Promise<void> {
  await send(server, path, JSON.stringify({ project_id: PROJECT, ...body }), 'PUT')
}

async function seedObjects(
  server: Server,
  files: readonly string[],
  rowCount: number,
): Promise<{ tables: string[]; refs: Refs }> {
  const ops: string[] = []
  for (let i = 0; i < 40; i++) {
    const name = `op-${i % 10}`
    ops.push(ref('op', name, await publish(server, name, op(files[i + 2]))))
  }
  // A version number without a version, a latest version that is not the highest, an object with only v2 left.
  await post(server, '/obj/delete', { object_id: 'op-1', digests: ['v1'] })
  await publish(server, 'op-2', op(files[2 + 2]))
  for (let i = 0; i < 3; i++) await publish(server, 'worn', { i: `${i}.0` })
  await post(server, '/obj/delete', { object_id: 'worn', digests: ['v0', 'v1'] })

  await putLabel(server, '/objs/op-3/versions/v1/tags', { tags: ['good', 'kept'] })
  await putLabel(server, '/objs/op-3/aliases', { digest: 'v2', aliases: ['production'] })
  await publish(server, 'album', files.map(media))

  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      question: `what is ${from + i}?`,
      ...(i % 10 === 0 ? { by: ops[i % ops.length], image: media(files[i % files.length]) } : {}),
    }))
  const small = await post<{ digest: string }>(server, '/table/create', {
    table: { project_id: PROJECT, rows: [...rows(0, 3), ...rows(0, 2)] },
  })
  const bare = await post<{ digest: string }>(server, '/table/create', {
    table: { project_id: PROJECT, rows: rows(1_000_000, 7) },
  })
  const empty = await post<{ digest: string }>(server, '/table/create', {
    table: { project_id: PROJECT, rows: [] },
  })
  const row_digests: string[] = []
  for (let at = 0; at < rowCount; at += BATCH_SIZE) {
    const chunk = { project_id: PROJECT, rows: rows(at, Math.min(BATCH_SIZE, rowCount - at)) }
    const created = await post<{ row_digests: string[] }>(server, '/table/create', { table: chunk })
    row_digests.push(...created.row_digests)
  }
  const big = await post<{ digest: string }>(server, '/table/create_from_digests', { row_digests })
  const table = (digest: string) => `weave:///${PROJECT}/table/${digest}`
  const dataset = (digest: string) => ({
    _type: 'Dataset',
    name: 'questions',
    rows: table(digest),
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  })
  for (const digest of [small.digest, empty.digest]) await publish(server, 'questions', dataset(digest))
  const big_ref = ref('object', 'questions', await publish(server, 'questions', dataset(big.digest)))
  await publish(server, 'evaluation', { dataset: big_ref, scorers: ops.slice(0, 3), trials: 1 })
  const annotation = await publish(server, 'quality', {
    field_schema: { type: 'number' },
    _class_name: 'AnnotationSpec',
    _bases: ['BaseObject', 'BaseModel'],
  })
  return {
    tables: [small.digest, bare.digest, empty.digest, big.digest],
    refs: {
      ops,
      dataset: big_ref,
      bareTable: table(bare.digest),
      annotation: ref('object', 'quality', annotation),
      scorer: ops[0] ?? '',
    },
  }
}

const callId = (i: number) => `call-${String(i).padStart(8, '0')}`

/** Seeds calls, ten per trace. More than two pages of them share one start time. */
async function seedCalls(server: Server, count: number, refs: Refs, files: readonly string[]): Promise<void> {
  for (let at = 0; at < count; at += BATCH_SIZE) {
    const indices = Array.from({ length: Math.min(BATCH_SIZE, count - at) }, (_, i) => at + i)
    const ended = indices.filter((i) => i % 97 !== 5)
    const batch = ended.map((i) => ({ ...start(i, refs, files), ...end(i, files) }))
    // JSON.stringify would write 1.0 as 1, so exactJson inserts the exact spelling.
    await send(server, `/v2/${PROJECT}/calls/complete`, exactJson(JSON.stringify({ batch })))
    const running = indices.filter((i) => i % 97 === 5)
    const starts = running.map((i) => ({ mode: 'start', req: { start: start(i, refs, files) } }))
    await send(server, '/call/upsert_batch', exactJson(JSON.stringify({ batch: starts })))
  }
  await post(server, '/call/update', { call_id: callId(3), display_name: 'renamed after the fact' })
  await post(server, '/calls/delete', { call_ids: [callId(10)] })
}

const exactJson = (json: string) =>
  json.replaceAll('"<1.0>"', '1.0').replaceAll('"<big>"', '123456789012345678901234567890')

function start(i: number, refs: Refs, files: readonly string[]): object {
  const root = i - (i % 10)
  const hasSharedStart = i >= 1_000 && i < 3_500
  return {
    project_id: PROJECT,
    id: callId(i),
    trace_id: `trace-${root}`,
    parent_id: i === root ? null : callId(root),
    op_name: i % 3 === 0 ? refs.ops[i % refs.ops.length] : `plain-${i % 7}`,
    started_at: hasSharedStart ? '2026-01-01T00:16:40.000001Z' : new Date(START + i * 1_000).toISOString(),
    ...(i % 5 === 0 ? { thread_id: `thread-${i % 50}`, turn_id: callId(root) } : {}),
    ...(i % 11 === 0 ? { display_name: `named ${i} ✓` } : {}),
    ...(i % 13 === 0 ? { wb_run_id: `admin/moving/run-${i % 4}`, wb_run_step: i } : {}),
    attributes: { weave: { client_version: '1' }, i },
    inputs: {
      text: `${'lorem ipsum '.repeat(20)}${i}`,
      one: '<1.0>',
      big: '<big>',
      ...(i % 4 === 0 ? { dataset: `${refs.dataset}/attr/rows` } : {}),
      ...(i % 100 === 0 ? { table: refs.bareTable, image: media(files[i % files.length]) } : {}),
    },
  }
}

function end(i: number, files: readonly string[]): object {
  return {
    ended_at: new Date(START + i * 1_000 + 350).toISOString(),
    ...(i % 17 === 0
      ? { exception: `Traceback: ${i}` }
      : {
          output: { answer: i, score: '<1.0>', image: i % 50 === 0 ? media(files[i % files.length]) : null },
        }),
    ...(i % 13 === 0 ? { wb_run_step_end: i + 1 } : {}),
    summary: { usage: { 'gpt-4o': { prompt_tokens: i, completion_tokens: 3, requests: 1 } }, mine: '<1.0>' },
  }
}

async function seedFeedback(server: Server, count: number, refs: Refs): Promise<void> {
  for (let at = 0; at < count; at += BATCH_SIZE) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, count - at) }, (_, k) =>
      feedbackRecord(at + k, refs),
    )
    await send(server, '/feedback/batch/create', exactJson(JSON.stringify({ batch })))
  }
}

function feedbackRecord(i: number, refs: Refs): object {
  const base = {
    project_id: PROJECT,
    id: `feedback-${String(i).padStart(8, '0')}`,
    weave_ref: `weave:///${PROJECT}/call/${callId(i)}`,
    creator: i % 2 === 0 ? 'ann' : null,
  }
  switch (i % 5) {
    case 0:
      return { ...base, feedback_type: 'wandb.note.1', payload: { note: `note ${i}` } }
    case 1:
      return { ...base, feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏽' } }
    case 2:
      return {
        ...base,
        feedback_type: 'wandb.annotation.quality',
        annotation_ref: refs.annotation,
        payload: { value: '<1.0>' },
      }
    case 3:
      return {
        ...base,
        feedback_type: 'wandb.runnable.op-0',
        runnable_ref: refs.scorer,
        call_ref: base.weave_ref,
        payload: { output: { score: '<1.0>', about: refs.dataset } },
        scorer_tags: ['a', 'b'],
        scorer_ratings: { good: '<1.0>' },
      }
    default:
      return { ...base, feedback_type: 'custom', payload: { big: '<big>' } }
  }
}

async function seedPrices(server: Server): Promise<void> {
  for (const effective_date of ['2025-01-01T00:00:00Z', '2025-07-01T00:00:00Z']) {
    const price = { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001, effective_date }
    await post(server, '/cost/create', {
      costs: { 'gpt-4o': price, 'house-model': { ...price, provider_id: 'us' } },
    })
  }
}
