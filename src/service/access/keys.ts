import { ApiError } from '../../contract/api-error.ts'
import { hashApiKey, KEY_MIN_CHARACTERS, newApiKey } from '../../core/access/credentials.ts'
import { listKeys, wasKey, writeKeys } from '../../store/access/keys.ts'
import type { Access } from './access.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { endKeys, hasEnded, keyRow } from './key-rows.ts'
import { readUser } from './users.ts'

/** Administration of API keys. A key is shown when it is made and never again. */
export interface NewKey {
  readonly key: string
  readonly key_id: string
  readonly username: string
}

/** What may be shown of a key. */
export interface KeySummary {
  readonly key_id: string
  readonly username: string
  readonly name: string
  /** A session is the cookie of somebody's browser: it can be revoked as a key can. */
  readonly kind: 'key' | 'session'
  readonly created_at: string
  readonly expires_at: string | null
}

export async function createKey(deps: Deps, username: string, name = ''): Promise<NewKey> {
  const user = await readUser(deps, username)
  const key = newApiKey()
  const row = keyRow(deps, key, { user_id: user.user_id, name })
  await writeKeys(deps.db, [row])
  return { key, key_id: row.key_id, username }
}

/** A key from a setting: made if it never was; one that was revoked stays revoked. */
export async function ensureKey(deps: Deps, user_id: string, key: string, name: string): Promise<void> {
  if (key.length < KEY_MIN_CHARACTERS) {
    throw new ApiError('invalid_request', `an API key has at least ${KEY_MIN_CHARACTERS} characters`)
  }
  if (await wasKey(deps.db, hashApiKey(key))) return
  await writeKeys(deps.db, [keyRow(deps, key, { user_id, name })])
}

/** Keys, and sessions that have not ended. */
export async function summarizeKeys(deps: Deps, username?: string): Promise<KeySummary[]> {
  const keys = await listKeys(deps.db)
  const nowMs = Number(deps.now() / 1000n)
  return keys
    .filter((key) => username === undefined || key.user_id === username)
    .filter((key) => !hasEnded(key, nowMs))
    .flatMap(({ key_id, user_id, name, kind, created_at, expires_at }) =>
      kind === 'code' ? [] : [{ key_id, username: user_id, name, kind, created_at, expires_at }],
    )
}

export function keysHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'keys_list' | 'key_create' | 'key_revoke'> {
  return {
    keys_list: async (_request, { username, key_id: current }) => ({
      keys: (await summarizeKeys(deps, username)).map(({ key_id, name, kind, created_at, expires_at }) => ({
        key_id,
        name,
        kind,
        created_at,
        expires_at,
        is_current: key_id === current,
      })),
    }),

    key_create: async ({ name }, { username }) => {
      const { key, key_id } = await createKey(deps, username, name ?? '')
      access.forget()
      return { key, key_id }
    },

    /** A key of somebody else is one that is not there. */
    key_revoke: async ({ key_id }, { user_id }) => {
      const ended = await endKeys(
        deps,
        (row) => row.user_id === user_id && (row.key_id === key_id || row.begun_with === key_id),
      )
      if (!ended.some((row) => row.key_id === key_id)) throw new ApiError('not_found', 'you have no such key')
      access.forget()
      return {}
    },
  }
}

/** By its id, or by the key itself if that leaked somewhere; with it the sessions that were begun with it. */
export async function revokeKey(deps: Deps, idOrKey: string): Promise<string> {
  const key_hash = hashApiKey(idOrKey)
  const key = (await listKeys(deps.db)).find((row) => row.key_id === idOrKey || row.key_hash === key_hash)
  if (key === undefined) throw new ApiError('not_found', 'there is no such key; see `heddle keys list`')
  await endKeys(deps, (row) => row.key_hash === key.key_hash || row.begun_with === key.key_id)
  return key.key_id
}
