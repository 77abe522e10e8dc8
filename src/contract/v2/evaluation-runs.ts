import { z } from 'zod'
import { datetime, nullableText, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { queryInt, queryList, queryTexts } from '../query-fields.ts'
import { rawObject } from '../raw-json.ts'
import { deletedCount } from './versions.ts'

const evaluationRun = z.object({
  evaluation_run_id: z.string(),
  evaluation: z.string(),
  model: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  started_at: datetime,
  finished_at: datetime.nullable(),
  summary: rawObject.nullable(),
  source_evaluation_run_id: z.string().nullable(),
})

export type EvaluationRun = z.output<typeof evaluationRun>

const refs = queryList.nullish()

export const evaluationRunsOperations = {
  evaluation_run_create: operation({
    path: '/v2/{entity}/{project}/evaluation_runs',
    summary: 'Begin a run of an evaluation.',
    access: 'write',
    request: inProject({
      evaluation: z.string().min(1),
      model: z.string().min(1),
      source_evaluation_run_id: nullableText,
    }),
    response: z.object({ evaluation_run_id: z.string() }),
  }),
  evaluation_run_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluation_runs',
    summary: 'List the runs of evaluations, one a line.',
    access: 'read',
    request: inProject({
      evaluations: refs,
      evaluation_refs: refs.meta({ description: 'another name of `evaluations`' }),
      models: refs,
      model_refs: refs.meta({ description: 'another name of `models`' }),
      evaluation_run_ids: refs,
      limit: queryInt,
      offset: queryInt,
    }),
    response: evaluationRun,
    responseFormat: 'jsonl',
  }),
  evaluation_run_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}',
    summary: 'Read one run of an evaluation.',
    access: 'read',
    request: inProject({ evaluation_run_id: recordId }),
    response: evaluationRun,
  }),
  evaluation_run_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/evaluation_runs',
    summary: 'Delete runs of evaluations with all that was recorded in them.',
    access: 'write',
    request: inProject({ evaluation_run_ids: queryTexts }),
    response: deletedCount,
  }),
  evaluation_run_finish: operation({
    path: '/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish',
    summary: 'End a run of an evaluation; its output is summed up from its scores.',
    access: 'write',
    request: inProject({ evaluation_run_id: recordId, summary: rawObject.nullish() }),
    response: z.object({ success: z.boolean() }),
  }),
}
