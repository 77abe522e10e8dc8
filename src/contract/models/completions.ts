import { z } from 'zod'
import { nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { rawJson, rawObject } from '../raw-json.ts'

/** Weave's operations that send a request to a model. */

const inputs = rawObject.meta({
  description:
    "A request of OpenAI's chat API, which is forwarded byte for byte, and keys of Weave: `prompt` (a ref, `name:version` or `name`), `template_vars`, `timeout` in seconds, `extra_headers`. The model is `openai/…`, `anthropic/…`, `gemini/…`, or `custom::<provider>::<model>`.",
  type: 'object',
  properties: {
    model: { type: 'string', minLength: 1, maxLength: 512 },
    messages: { type: 'array', items: { type: 'object' } },
  },
  required: ['model'],
})

const request = z.object({
  project_id: projectId,
  inputs,
  track_llm_call: z.boolean().nullish().meta({ description: 'Whether to store a call; default true.' }),
  trace_id: z.string().max(256).nullish(),
  parent_id: z.string().max(256).nullish().meta({ description: 'The call that the stored one belongs to.' }),
  conversation_id: z.string().max(256).nullish().meta({ description: 'Stored as the thread of the call.' }),
  conversation_name: nullableText,
  source: nullableText.meta({ description: 'Stored as the attribute `weave.source`.' }),
  wb_user_id: nullableText.meta({ description: 'Ignored: the caller is the user.' }),
})

export type CompletionRequest = z.output<typeof request>

export const completionsOperations = {
  completions_create: operation({
    path: '/completions/create',
    summary: 'Send a request to a model, and store it as a call.',
    access: 'write',
    errors: ['rate_limited'],
    request,
    response: z.object({
      response: rawJson.meta({
        description:
          'A chat completion of OpenAI as the provider sent it; or `{error, error_status_code}` if the model could not be asked or failed.',
      }),
      weave_call_id: z.string().optional().meta({ description: 'Only if a call was stored.' }),
      span_id: z.string().optional(),
      trace_id: z.string().optional(),
      conversation_id: z.string().nullish(),
    }),
  }),
  completions_create_stream: operation({
    path: '/completions/create_stream',
    summary: 'Send a request to a model, and stream its response as JSON lines.',
    access: 'write',
    errors: ['rate_limited'],
    request,
    response: rawJson.meta({
      description:
        'First `{_meta: {weave_call_id, …}}`, if a call is stored; then chunks of OpenAI as the provider sent them. A failure is a last line `{error, error_status_code}`.',
    }),
    responseFormat: 'jsonl',
  }),
}
