import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashApiKey, newPassword } from '../core/access/credentials.ts'
import type { Deps } from '../service/deps.ts'
import { createKey, ensureKey } from '../service/access/keys.ts'
import { createSignInCode } from '../service/access/sign-in-codes.ts'
import { hashNewPassword, newUser, readUser } from '../service/access/users.ts'
import { listKeys } from '../store/access/keys.ts'
import { isAnyUser, wasUser, writeUser } from '../store/access/users.ts'
import type { Settings } from './settings.ts'

/** Someone must be able to sign in to a new database: made from settings, or made up and shown once. */
export interface ShownCredentials {
  readonly username: string
  readonly key: string
  /** Only on the very first start. */
  readonly password: string | undefined
  /** Signs a browser in, once. */
  readonly code: string
}

const ADMIN = 'admin'

/** What the server may print at its start, so that a person can paste it into a shell. */
export async function prepareSignIn(deps: Deps, settings: Settings): Promise<ShownCredentials | undefined> {
  if (settings.initAdminPassword !== undefined || settings.initApiKey !== undefined) {
    await ensureAdmin(deps, settings)
    return undefined
  }
  if (await isAnyUser(deps.db)) return findKept(deps, settings)
  const password = newPassword()
  const user = newUser(deps, ADMIN, await hashNewPassword(password), true)
  await writeUser(deps.db, user)
  const { key } = await createKey(deps, ADMIN, 'first start')
  await keep(settings, { username: ADMIN, key })
  // Two nodes may have begun at once; then the password of the later one counts, and both keys.
  const mine = (await readUser(deps, ADMIN)).password_hash === user.password_hash
  const code = await createSignInCode(deps, ADMIN)
  return { username: ADMIN, key, password: mine ? password : undefined, code }
}

/** Made if they never were; what a person changed or removed since then stays as it is. */
async function ensureAdmin(deps: Deps, settings: Settings): Promise<void> {
  if (!(await wasUser(deps.db, ADMIN))) {
    await writeUser(deps.db, newUser(deps, ADMIN, await hashNewPassword(settings.initAdminPassword), true))
  }
  if (settings.initApiKey !== undefined)
    await ensureKey(deps, ADMIN, settings.initApiKey, 'HEDDLE_INIT_API_KEY')
}

/**
 * With the built-in engine the first key is kept beside the data, readable by its owner only: whoever reads that
 * file can read the data too, and it can be pasted again after every start.
 */
function keptFile(settings: Settings): string | undefined {
  return settings.clickhouseUrl === undefined ? join(settings.dataDirectory, 'credentials') : undefined
}

async function keep(settings: Settings, credentials: { username: string; key: string }): Promise<void> {
  const file = keptFile(settings)
  if (file !== undefined) await writeFile(file, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
}

async function findKept(deps: Deps, settings: Settings): Promise<ShownCredentials | undefined> {
  const file = keptFile(settings)
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { username, key } = parse(text)
  if (typeof username !== 'string' || typeof key !== 'string') return undefined
  const key_hash = hashApiKey(key)
  const row = (await listKeys(deps.db)).find((other) => other.key_hash === key_hash)
  if (row === undefined) return undefined
  return { username, key, password: undefined, code: await createSignInCode(deps, row.user_id) }
}

function parse(text: string): { username?: unknown; key?: unknown } {
  try {
    return JSON.parse(text) as { username?: unknown; key?: unknown }
  } catch {
    return {}
  }
}
