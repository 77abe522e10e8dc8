import { z } from 'zod'
import { datetime, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** Operations on the secrets of a project: keys of model providers, by name. No operation returns their values. */

const path = '/api/v1/projects/{entity}/{project}/secrets'

const secretName = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'must have 1 to 128 letters, digits, - or _')

const origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[^/?#@\s\\]+$/, 'must be an origin such as https://api.openai.com')

export const secretsOperations = {
  secrets_list: operation({
    method: 'GET',
    path,
    summary: 'List the secrets of a project by name. Their values are never returned.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({
      secrets: z.array(
        z.object({
          name: z.string(),
          origins: z.array(z.string()),
          changed_by: z.string(),
          changed_at: datetime,
        }),
      ),
    }),
  }),
  secret_set: operation({
    method: 'PUT',
    path: `${path}/{name}`,
    summary: 'Store the key of a model provider, encrypted, under a name that providers refer to.',
    access: 'admin',
    errors: ['conflict'],
    request: projectRequest({
      name: secretName,
      value: z
        .string()
        .max(8_192)
        .regex(/^[\x21-\x7e]+$/, 'must be ASCII text without spaces'),
      origins: z.array(origin).min(1).max(16).meta({
        description:
          'Where the secret may be sent: scheme, host and port. A provider with another `base_url` cannot use it.',
      }),
    }),
    response: emptyResponse,
  }),
  secret_delete: operation({
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Delete a secret of a project.',
    access: 'admin',
    errors: ['not_found'],
    request: projectRequest({ name: secretName }),
    response: emptyResponse,
  }),
}
