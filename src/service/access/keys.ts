import { ApiError } from '../../contract/api-error.ts'
import { MAX_KEYS_PER_USER, NEW_KEYS } from '../../contract/limits.ts'
import { hashApiKey, MIN_KEY_CHARACTERS, newApiKey } from '../../core/access/credentials.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { findKeyUses } from '../../store/access/key-uses.ts'
import {
  keyEverExisted,
  type KeyRow,
  type KeyWrite,
  listKeys,
  listKeysOf,
  writeKeys,
} from '../../store/access/keys.ts'
import type { Access } from './access.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { revokeKeys, isExpired, newKeyRow } from './key-rows.ts'
import { readUser } from './users.ts'

/** API keys: administration by the CLI, and handlers for the keys of the caller. */

/** A new API key. The secret is shown once, when the key is created. */
export interface CreatedKey {
  readonly key: string
  readonly key_id: string
  readonly username: string
}

/** An API key or session without its secret. */
export interface KeySummary {
  readonly key_id: string
  readonly username: string
  readonly name: string
  /** A session belongs to a browser's cookie. It can be revoked like a key. */
  readonly kind: 'key' | 'session'
  readonly created_at: string
  readonly expires_at: string | null
}

export async function createKey(deps: Deps, username: string, name = ''): Promise<CreatedKey> {
  const { user_id } = await readUser(deps, username)
  const { key, row } = await writeNewKey(deps, { user_id, name })
  return { key, key_id: row.key_id, username }
}

async function writeNewKey(
  deps: Deps,
  fields: Pick<KeyRow, 'user_id' | 'name'> & Partial<Pick<KeyRow, 'created_with'>>,
): Promise<{ readonly key: string; readonly row: KeyWrite }> {
  const key = newApiKey()
  const row = newKeyRow(deps, key, fields)
  await writeKeys(deps.db, [row])
  return { key, row }
}

/** Creates a key whose secret comes from a setting, unless it ever existed: a revoked key stays revoked. */
export async function ensureKey(deps: Deps, user_id: string, key: string, name: string): Promise<void> {
  if (key.length < MIN_KEY_CHARACTERS) {
    throw new ApiError('invalid_request', `an API key must have at least ${MIN_KEY_CHARACTERS} characters`)
  }
  if (await keyEverExisted(deps.db, hashApiKey(key))) return
  await writeKeys(deps.db, [newKeyRow(deps, key, { user_id, name })])
}

/** Lists API keys and sessions that have not expired. */
export async function summarizeKeys(deps: Deps, username?: string): Promise<KeySummary[]> {
  const keys = await (username === undefined ? listKeys(deps.db) : listKeysOf(deps.db, username))
  const nowMs = Number(deps.now() / 1000n)
  return keys
    .filter((key) => !isExpired(key, nowMs))
    .flatMap(({ key_id, user_id, name, kind, created_at, expires_at }) =>
      kind === 'code' ? [] : [{ key_id, username: user_id, name, kind, created_at, expires_at }],
    )
}

/** Handlers for API keys of the caller: list, create, revoke. */
export function keysHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'keys_list' | 'key_create' | 'key_revoke'> {
  const creations = new KeyedRate(NEW_KEYS)

  /** `heddle keys create` is not limited. */
  const admitCreation = async (user_id: string): Promise<readonly KeyRow[]> => {
    const retryAfterSeconds = creations.take(user_id, 1, Number(deps.now() / 1000n))
    if (retryAfterSeconds > 0)
      throw new ApiError(
        'rate_limited',
        `you created too many API keys; try again in ${retryAfterSeconds} s, or use one key for several programs`,
        { retryAfterSeconds },
      )
    const keys = await listKeysOf(deps.db, user_id)
    if (keys.filter(({ kind }) => kind === 'key').length >= MAX_KEYS_PER_USER)
      throw new ApiError(
        'conflict',
        `you have ${MAX_KEYS_PER_USER} API keys, which is the maximum; revoke keys you no longer use`,
      )
    return keys
  }

  return {
    keys_list: async (_request, { username, key_id: current }) => {
      const keys = await summarizeKeys(deps, username)
      const uses = await findKeyUses(
        deps.db,
        keys.map(({ key_id }) => key_id),
      )
      return {
        keys: keys.map(({ key_id, name, kind, created_at, expires_at }) => ({
          key_id,
          name,
          kind,
          created_at,
          expires_at,
          last_used_at: uses.get(key_id) ?? null,
          is_current: key_id === current,
        })),
      }
    },

    key_create: async ({ name }, { user_id, key_id }) => {
      const keys = await admitCreation(user_id)
      const created_with = parentKey(keys.find((row) => row.key_id === key_id))
      const { key, row } = await writeNewKey(deps, { user_id, name: name ?? '', created_with })
      access.apply({ keys: [row] })
      return { key, key_id: row.key_id }
    },

    /** Another user's key is reported as not found. */
    key_revoke: async ({ key_id }, { user_id }) => {
      const revoked = await revokeKeys(deps, user_id, (row) => row.key_id === key_id)
      access.apply({ keys: revoked })
      if (!revoked.some((row) => row.key_id === key_id))
        throw new ApiError('not_found', 'you have no such key; it may have been revoked already')
      return {}
    },
  }
}

/**
 * The key that a new one ends with. A session is none, because what it creates must outlive it, but the key that it was
 * created with is.
 */
function parentKey(row: KeyRow | undefined): string {
  if (row === undefined) return ''
  return row.kind === 'key' ? row.key_id : row.created_with
}

/** Revokes a key, with the keys and sessions created with it. Takes the key's id, or the secret itself in case it leaked. */
export async function revokeKey(deps: Deps, idOrKey: string): Promise<string> {
  const key_hash = hashApiKey(idOrKey)
  const key = (await listKeys(deps.db)).find((row) => row.key_id === idOrKey || row.key_hash === key_hash)
  if (key === undefined)
    throw new ApiError('not_found', 'there is no such key; list keys with `heddle keys list`')
  await revokeKeys(deps, key.user_id, (row) => row.key_hash === key.key_hash)
  return key.key_id
}
