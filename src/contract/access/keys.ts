import { z } from 'zod'
import { datetime, emptyAnswer } from '../fields.ts'
import { operation } from '../operation.ts'

/** API keys and sessions of the caller: everyone sees and ends their own. */

const key = z.object({
  key_id: z.string(),
  name: z.string(),
  kind: z.enum(['key', 'session']).meta({ description: '`session`: the cookie of a browser' }),
  created_at: datetime,
  expires_at: datetime.nullable(),
  is_current: z.boolean().meta({ description: 'this request came with it' }),
})

export const keysOperations = {
  keys_list: operation({
    method: 'GET',
    path: '/api/v1/keys',
    summary: 'List the API keys and the sessions of the caller.',
    access: 'user',
    request: z.object({}),
    response: z.object({ keys: z.array(key) }),
  }),
  key_create: operation({
    path: '/api/v1/keys',
    summary: 'Make an API key for the caller; it is told this once.',
    access: 'user',
    request: z.object({
      name: z
        .string()
        .max(128)
        .regex(/^\P{Cc}*$/u, 'must be one line of text')
        .nullish(),
    }),
    response: z.object({ key: z.string(), key_id: z.string() }),
  }),
  key_revoke: operation({
    method: 'DELETE',
    path: '/api/v1/keys/{key_id}',
    summary: 'Revoke a key or end a session of the caller, with the sessions that were begun with it.',
    access: 'user',
    request: z.object({ key_id: z.string().min(1).max(256) }),
    response: emptyAnswer,
  }),
}
