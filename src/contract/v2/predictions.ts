import { z } from 'zod'
import { nullableText, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryTexts } from '../query-fields.ts'
import { rawJson, rawObject } from '../raw-json.ts'
import { deletedCountResponse } from './versions.ts'

/** Typed routes for the predictions of evaluation runs. */

/** A span of an agent trace that belongs to a prediction. */
export const genaiSpanRef = z.object({ trace_id: z.string(), span_id: z.string() })

const prediction = z.object({
  prediction_id: z.string(),
  model: z.string(),
  inputs: rawObject,
  output: rawJson.nullable(),
  evaluation_run_id: z.string().nullable(),
  wb_user_id: z.string().nullable(),
})

export type Prediction = z.output<typeof prediction>

export const predictionsOperations = {
  prediction_create: operation({
    path: '/v2/{entity}/{project}/predictions',
    summary: 'Record a prediction of a model.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({
      model: z.string().min(1),
      inputs: rawObject,
      output: rawJson.nullable(),
      evaluation_run_id: recordId.nullish(),
      genai_span_ref: z.array(genaiSpanRef).nullish(),
    }),
    response: z.object({ prediction_id: z.string() }),
  }),
  prediction_list: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/predictions',
    summary: 'Stream predictions as JSON lines.',
    access: 'read',
    request: projectRequest({ evaluation_run_id: nullableText, limit: queryInt, offset: queryInt }),
    response: prediction,
    responseFormat: 'jsonl',
  }),
  prediction_read: operation({
    method: 'GET',
    path: '/v2/{entity}/{project}/predictions/{prediction_id}',
    summary: 'Read one prediction.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ prediction_id: recordId }),
    response: prediction,
  }),
  prediction_delete: operation({
    method: 'DELETE',
    path: '/v2/{entity}/{project}/predictions',
    summary: 'Delete predictions.',
    access: 'write',
    request: projectRequest({ prediction_ids: queryTexts }),
    response: deletedCountResponse,
  }),
  prediction_finish: operation({
    path: '/v2/{entity}/{project}/predictions/{prediction_id}/finish',
    summary: 'Mark a prediction as finished, once all its scores are recorded.',
    access: 'write',
    errors: ['not_found'],
    // All fields are in the path; a body is optional and ignored.
    body: 'none',
    request: projectRequest({ prediction_id: recordId }),
    response: z.object({ success: z.boolean() }),
  }),
}
