import { hashApiKey, keyIdOf } from '../../core/access/credentials.ts'
import { formatTime, laterTime, parseTime } from '../../core/time/time.ts'
import { type KeyRow, type KeyWrite, listKeys, writeKeys } from '../../store/access/keys.ts'
import type { Deps } from '../deps.ts'

/** Rows of keys, sessions and codes: how they begin, and how they end. */

type Beginning = Pick<KeyRow, 'user_id'> & Partial<Pick<KeyRow, 'name' | 'kind' | 'begun_with'>>

/** Without `lastsMs` it lasts until it is revoked. */
export function keyRow(deps: Deps, secret: string, beginning: Beginning, lastsMs?: number): KeyWrite {
  const key_hash = hashApiKey(secret)
  const now = deps.now()
  return {
    key_hash,
    key_id: keyIdOf(key_hash),
    name: '',
    kind: 'key',
    begun_with: '',
    ...beginning,
    created_at: formatTime(now),
    expires_at: lastsMs === undefined ? null : formatTime(now + BigInt(lastsMs) * 1000n),
    changed_at: formatTime(now),
    is_deleted: 0,
  }
}

export function hasEnded({ expires_at }: Pick<KeyRow, 'expires_at'>, nowMs: number): boolean {
  if (expires_at === null) return false
  return (parseTime(expires_at) ?? 0n) <= BigInt(Math.floor(nowMs)) * 1000n
}

/** Those that were ended. */
export async function endKeys(deps: Deps, isMeant: (row: KeyRow) => boolean): Promise<KeyRow[]> {
  const rows = (await listKeys(deps.db)).filter(isMeant)
  await writeKeys(
    deps.db,
    rows.map((row) => ended(deps, row)),
  )
  return rows
}

export function ended(deps: Deps, row: KeyRow): KeyWrite {
  return { ...row, changed_at: laterTime(deps.now(), row.changed_at), is_deleted: 1 }
}
