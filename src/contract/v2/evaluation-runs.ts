import { z } from 'zod'
import { datetime, nullableText, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryList, queryTexts } from '../query-fields.ts'
import { rawObject } from '../raw-json.ts'
import { deletedCountResponse } from './versions.ts'

/** Typed routes for evaluation runs. */

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
    summary: 'Start an evaluation run.',
    access: 'write',
    request: projectRequest({
      evaluation: z.string().min(1),
      model: z.string().min(1),
      source_evaluation_run_id: nullableText,
    }),
    response: z.object({ evaluation_run_id: z.string() }),
  }),
  evaluation_run_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/evaluation_runs',
    summary: 'Stream evaluation runs as JSON lines.',
    access: 'read',
    request: projectRequest({
      evaluations: refs,
      evaluation_refs: refs.meta({ description: 'Alias of `evaluations`.' }),
      models: refs,
      model_refs: refs.meta({ description: 'Alias of `models`.' }),
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
    summary: 'Read one evaluation run.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ evaluation_run_id: recordId }),
    response: evaluationRun,
  }),
  evaluation_run_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/evaluation_runs',
    summary: 'Delete evaluation runs with their predictions and scores.',
    access: 'write',
    request: projectRequest({ evaluation_run_ids: queryTexts }),
    response: deletedCountResponse,
  }),
  evaluation_run_finish: operation({
    path: '/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish',
    summary: 'Finish an evaluation run. Its output is aggregated from its scores.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({ evaluation_run_id: recordId, summary: rawObject.nullish() }),
    response: z.object({ success: z.boolean() }),
  }),
}
