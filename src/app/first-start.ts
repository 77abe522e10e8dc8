import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashApiKey, newPassword } from '../core/access/credentials.ts'
import type { Deps } from '../service/deps.ts'
import { createKey, ensureKey } from '../service/access/keys.ts'
import { createSignInCode } from '../service/access/sign-in-codes.ts'
import { hashNewPassword, newUserRow, readUser } from '../service/access/users.ts'
import { listKeys } from '../store/access/keys.ts'
import { hasUsers, userEverExisted, writeUser } from '../store/access/users.ts'
import { isExternal, type Settings } from './settings.ts'

/** Creates the first user of a new database, from settings or with a generated password that is shown once. */

/** The credentials that the banner of `heddle serve` prints. */
export interface StartupCredentials {
  readonly username: string
  readonly key: string
  /** Only on the first start. */
  readonly password: string | undefined
  /** One-time sign-in code for a browser. */
  readonly code: string
}

const ADMIN = 'admin'

/** Returns the credentials to print at the start; undefined if none may be shown. */
export async function prepareCredentials(
  deps: Deps,
  settings: Settings,
): Promise<StartupCredentials | undefined> {
  if (settings.initAdminPassword !== undefined || settings.initApiKey !== undefined) {
    await ensureAdmin(deps, settings)
    return undefined
  }
  if (await hasUsers(deps.db)) return findSavedCredentials(deps, settings)
  const password = newPassword()
  const user = newUserRow(deps, ADMIN, await hashNewPassword(password), true)
  await writeUser(deps.db, user)
  const { key } = await createKey(deps, ADMIN, 'first start')
  await saveCredentials(settings, { username: ADMIN, key })
  // If two servers start at the same time, the later password wins and both API keys are valid.
  const isPasswordValid = (await readUser(deps, ADMIN)).password_hash === user.password_hash
  const code = await createSignInCode(deps, ADMIN)
  return { username: ADMIN, key, password: isPasswordValid ? password : undefined, code }
}

/** Creates the user and the key once. Later changes and deletions by an administrator are not reverted. */
async function ensureAdmin(deps: Deps, settings: Settings): Promise<void> {
  if (!(await userEverExisted(deps.db, ADMIN))) {
    await writeUser(deps.db, newUserRow(deps, ADMIN, await hashNewPassword(settings.initAdminPassword), true))
  }
  if (settings.initApiKey !== undefined)
    await ensureKey(deps, ADMIN, settings.initApiKey, 'HEDDLE_INIT_API_KEY')
}

/**
 * With embedded ClickHouse the first API key is saved in the data directory, so that every start can print it again.
 * Only the owner can read the file, and whoever can read it can read the data too.
 */
function credentialsFile(settings: Settings): string | undefined {
  return isExternal(settings) ? undefined : join(settings.dataDirectory, 'credentials')
}

async function saveCredentials(
  settings: Settings,
  credentials: { username: string; key: string },
): Promise<void> {
  const file = credentialsFile(settings)
  if (file !== undefined) await writeFile(file, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
}

async function findSavedCredentials(deps: Deps, settings: Settings): Promise<StartupCredentials | undefined> {
  const file = credentialsFile(settings)
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
