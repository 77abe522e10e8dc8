import { hashApiKey, apiKeyId } from '../../core/access/credentials.ts'
import { formatTime, laterTime, parseTime } from '../../core/time/time.ts'
import { type KeyRow, type KeyWrite, listKeysOf, writeKeys } from '../../store/access/keys.ts'
import type { Deps } from '../deps.ts'

/** Creation and revocation of rows in `api_keys`, which holds API keys, sessions and sign-in codes. */

type NewKeyFields = Pick<KeyRow, 'user_id'> & Partial<Pick<KeyRow, 'name' | 'kind' | 'created_with'>>

/** Without `lifetimeMs` the key never expires. */
export function newKeyRow(deps: Deps, secret: string, fields: NewKeyFields, lifetimeMs?: number): KeyWrite {
  const key_hash = hashApiKey(secret)
  const now = deps.now()
  return {
    key_hash,
    key_id: apiKeyId(key_hash),
    name: '',
    kind: 'key',
    created_with: '',
    ...fields,
    created_at: formatTime(now),
    expires_at: lifetimeMs === undefined ? null : formatTime(now + BigInt(lifetimeMs) * 1000n),
    changed_at: formatTime(now),
    is_deleted: 0,
  }
}

export function isExpired({ expires_at }: Pick<KeyRow, 'expires_at'>, nowMs: number): boolean {
  if (expires_at === null) return false
  return (parseTime(expires_at) ?? 0n) <= BigInt(Math.floor(nowMs)) * 1000n
}

/** Revokes the matching keys of a user with all that were created with them, and returns the rows that were written. */
export async function revokeKeys(
  deps: Deps,
  user_id: string,
  matches: (row: KeyRow) => boolean,
): Promise<KeyWrite[]> {
  const rows = withDescendants(await listKeysOf(deps.db, user_id), matches)
  const revoked = rows.map((row) => revokedRow(deps, row))
  await writeKeys(deps.db, revoked)
  return revoked
}

/** A key may create keys and sessions, and these again: whoever had it may have all of them. */
function withDescendants(keys: readonly KeyRow[], matches: (row: KeyRow) => boolean): KeyRow[] {
  const found = new Set(keys.filter(matches))
  // A set is iterated with what is added to it during the iteration.
  for (const { key_id, kind } of found)
    if (kind === 'key') for (const row of keys) if (row.created_with === key_id) found.add(row)
  return [...found]
}

export function revokedRow(deps: Deps, row: KeyRow): KeyWrite {
  return { ...row, changed_at: laterTime(deps.now(), row.changed_at), is_deleted: 1 }
}
