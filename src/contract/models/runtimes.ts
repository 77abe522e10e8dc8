import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** Weave's operation on a provider of a project with all its models. */

const runtimeId = z.object({
  id: z.string().min(1).max(256).meta({ description: 'What the provider calls the model.' }),
  max_tokens: z.int().min(1).nullish().meta({ description: 'The longest response; default 4096.' }),
})

const MAX_MODELS = 100

export const runtimesOperations = {
  runtime_apply: operation({
    method: 'PUT',
    path: '/v2/{entity}/{project}/runtimes/{runtime_name}',
    summary:
      'Create or replace a provider that speaks the protocol of OpenAI, with the complete list of its models.',
    access: 'write',
    request: projectRequest({
      runtime_name: z.string().min(1).max(100),
      base_url: z.string().max(2_000),
      api_key_secret: z.string().max(128).nullish().meta({
        description: 'The name of a secret; the secret says to which origins it may be sent.',
      }),
      headers: z.record(z.string(), z.string()).nullish(),
      runtime_ids: z.array(runtimeId).min(1).max(MAX_MODELS),
    }),
    response: z.object({
      name: z.string(),
      base_url: z.string(),
      api_key_secret: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      runtime_ids: z.array(
        z.object({
          id: z.string(),
          max_tokens: z.int(),
          playground_id: z.string().meta({ description: 'The `model` of completions.' }),
        }),
      ),
    }),
  }),
}
