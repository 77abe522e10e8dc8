import { z } from 'zod'
import { CONTROL_CHARACTERS, datetime, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'

/** Operations on the caller's own API keys and sessions. */

const key = z.object({
  key_id: z.string(),
  name: z.string().meta({ description: 'Of a session: its browser and operating system.' }),
  kind: z.enum(['key', 'session']).meta({ description: '`session`: a browser session, held in a cookie.' }),
  created_at: datetime,
  expires_at: datetime.nullable(),
  last_used_at: datetime
    .nullable()
    .meta({ description: 'To within five minutes; null if it was not used yet.' }),
  is_current: z.boolean().meta({ description: 'Whether this request was authenticated with it.' }),
})

export const keysOperations = {
  keys_list: operation({
    method: 'GET',
    path: '/api/v1/keys',
    summary: "List the caller's API keys and sessions.",
    access: 'user',
    request: z.object({}),
    response: z.object({ keys: z.array(key) }),
  }),
  key_create: operation({
    path: '/api/v1/keys',
    summary: 'Create an API key for the caller. The key is returned once.',
    access: 'user',
    request: z.object({
      name: z
        .string()
        .max(128)
        .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'must be a single line of text')
        .nullish(),
    }),
    response: z.object({ key: z.string(), key_id: z.string() }),
    errors: ['conflict'],
  }),
  key_revoke: operation({
    method: 'DELETE',
    path: '/api/v1/keys/{key_id}',
    summary: "Revoke one of the caller's API keys or sessions. Sessions created with the key end too.",
    access: 'user',
    errors: ['not_found'],
    request: z.object({ key_id: z.string().min(1).max(256) }),
    response: emptyResponse,
  }),
}
