import type { Client } from '../../src/client/client.ts'
import { RawJson } from '../../src/contract/raw-json.ts'

/** Creates calls to annotate in a project of their own. The newest is `answer-0`. */
export async function seedReviewCalls(api: Client, project_id: string, count: number): Promise<void> {
  const [entity = '', project = ''] = project_id.split('/')
  const now = Date.now()
  const batch = Array.from({ length: count }, (_, i) => {
    const id = `answer-${i}`
    return {
      project_id,
      id,
      trace_id: id,
      op_name: 'answer',
      started_at: new Date(now - (i + 1) * 60_000).toISOString(),
      ended_at: new Date(now - (i + 1) * 60_000 + 800).toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ question: `Question ${i}?`, n: i }),
      output: RawJson.fromValue(`Answer ${i}.`),
      summary: RawJson.fromValue({}),
    }
  })
  await api.call('calls_complete', { entity, project, batch })
}

const SCHEMAS = {
  Correct: { type: 'boolean' },
  Stars: { type: 'integer', minimum: 1, maximum: 5 },
  Tone: { type: 'string', enum: ['kind', 'cold'] },
  Share: { type: 'number', minimum: 0, maximum: 1 },
} as const

export type SeededScore = keyof typeof SCHEMAS

export async function seedScores(
  api: Client,
  project_id: string,
  names: readonly SeededScore[],
): Promise<void> {
  for (const name of names) {
    await api.call('obj_create', {
      obj: {
        project_id,
        object_id: name.toLowerCase(),
        builtin_object_class: 'AnnotationSpec',
        val: RawJson.fromValue({ name, description: null, field_schema: SCHEMAS[name] }),
      },
    })
  }
}

/** The feedback of a project by call id, each record as `type payload`. */
export async function feedbackByCall(
  api: Client,
  project_id: string,
): Promise<ReadonlyMap<string, string[]>> {
  const { result } = await api.call('feedback_query', {
    project_id,
    sort_by: [{ field: 'created_at', direction: 'asc' }],
  })
  const byCall = new Map<string, string[]>()
  for (const row of result) {
    const call = String(row['weave_ref']).split('/').at(-1) ?? ''
    const payload = row['payload']
    const text = payload instanceof RawJson ? payload.text : JSON.stringify(payload)
    byCall.set(call, [...(byCall.get(call) ?? []), `${String(row['feedback_type'])} ${text}`])
  }
  return byCall
}
