import { Problem } from '../contract/problem.ts'
import { hashApiKey, KEY_MIN_CHARACTERS, keyIdOf, newApiKey } from '../core/credentials.ts'
import { formatTime, laterTime } from '../core/time.ts'
import { type KeyWrite, listKeys, wasKey, writeKeys } from '../store/keys.ts'
import type { Deps } from './deps.ts'
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
  readonly created_at: string
}

export async function createKey(deps: Deps, username: string, name = ''): Promise<NewKey> {
  const user = await readUser(deps, username)
  const key = newApiKey()
  const row = keyRow(deps, user.user_id, key, name)
  await writeKeys(deps.db, [row])
  return { key, key_id: row.key_id, username }
}

/** A key from a setting: made if it never was; one that was revoked stays revoked. */
export async function ensureKey(deps: Deps, user_id: string, key: string, name: string): Promise<void> {
  if (key.length < KEY_MIN_CHARACTERS) {
    throw new Problem('invalid_request', `an API key has at least ${KEY_MIN_CHARACTERS} characters`)
  }
  if (await wasKey(deps.db, hashApiKey(key))) return
  await writeKeys(deps.db, [keyRow(deps, user_id, key, name)])
}

export async function summarizeKeys(deps: Deps, username?: string): Promise<KeySummary[]> {
  const keys = await listKeys(deps.db)
  return keys
    .filter((key) => username === undefined || key.user_id === username)
    .map(({ key_id, user_id, name, created_at }) => ({ key_id, username: user_id, name, created_at }))
}

/** By its id, or by the key itself if that leaked somewhere. */
export async function revokeKey(deps: Deps, idOrKey: string): Promise<string> {
  const key_hash = hashApiKey(idOrKey)
  const key = (await listKeys(deps.db)).find((row) => row.key_id === idOrKey || row.key_hash === key_hash)
  if (key === undefined) throw new Problem('not_found', 'there is no such key; see `heddle keys list`')
  await writeKeys(deps.db, [{ ...key, changed_at: laterTime(deps.now(), key.changed_at), is_deleted: 1 }])
  return key.key_id
}

function keyRow(deps: Deps, user_id: string, key: string, name: string): KeyWrite {
  const key_hash = hashApiKey(key)
  const now = formatTime(deps.now())
  return {
    key_hash,
    key_id: keyIdOf(key_hash),
    user_id,
    name,
    created_at: now,
    changed_at: now,
    is_deleted: 0,
  }
}
