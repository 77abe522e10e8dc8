import assert from 'node:assert/strict'
import type { Client } from '../../src/client/client.ts'
import { ASSISTANT } from './program/assistant.ts'

/** Names of the two runs of the assistant, oldest first. */
export async function assistantRuns(api: Client): Promise<readonly [string, string]> {
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const { calls } = await api.call('project_calls', {
    entity,
    project,
    filter: { op_names: [`weave:///${ASSISTANT}/op/Evaluation.evaluate:*`] },
    direction: 'asc',
  })
  const summaries = calls.map(({ output }) => JSON.parse(output?.text ?? '{}') as unknown)
  // What the SDK computed: the failed example counts in the share, not in the mean.
  assert.deepEqual(
    summaries.map((summary) => ({ ...(summary as object), model_latency: undefined })),
    [
      [4, 0.8, 0.8],
      [3, 0.6, 0.6625000000000001],
    ].map(([true_count, true_fraction, mean]) => ({
      mentions: { correct: { true_count, true_fraction } },
      Judge: { helpful: { mean } },
      model_latency: undefined,
    })),
  )
  const [older, newer] = calls.map(({ display_name }) => display_name ?? '')
  return [older ?? '', newer ?? '']
}
