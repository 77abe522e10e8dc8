import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPassword } from '../core/access/credentials.ts'
import type { Deps } from '../service/deps.ts'
import { createKey, ensureKey } from '../service/access/keys.ts'
import { createSignInCode } from '../service/access/sign-in-codes.ts'
import { hashNewPassword, newUserRow, readUser } from '../service/access/users.ts'
import { hasUsers, userEverExisted, writeUser } from '../store/access/users.ts'
import { isExternal, type Settings } from './settings.ts'

/** Creates the first user of a new database, from settings or with a generated password that is shown once. */

/** What the first start creates. The banner of `heddle serve` shows it on a terminal. */
export interface StartupCredentials {
  readonly username: string
  readonly key: string
  /** Undefined if another server has set a different one. */
  readonly password: string | undefined
  /** One-time sign-in code for a browser. */
  readonly code: string
}

export const ADMIN = 'admin'

/** Returns what it created in an empty database; undefined if there is nothing to show. */
export async function prepareCredentials(
  deps: Deps,
  settings: Settings,
): Promise<StartupCredentials | undefined> {
  if (settings.initAdminPassword !== undefined || settings.initApiKey !== undefined) {
    await ensureAdmin(deps, settings)
    return undefined
  }
  if (await hasUsers(deps.db)) return undefined
  const password = newPassword()
  const user = newUserRow(deps, ADMIN, await hashNewPassword(password, ADMIN), true)
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
    await writeUser(
      deps.db,
      newUserRow(deps, ADMIN, await hashNewPassword(settings.initAdminPassword, ADMIN), true),
    )
  }
  if (settings.initApiKey !== undefined)
    await ensureKey(deps, ADMIN, settings.initApiKey, 'HEDDLE_INIT_API_KEY')
}

/**
 * With embedded ClickHouse the first API key is saved in the data directory, for commands and for people. Only the owner
 * can read the file, and whoever can read it can read the data too.
 */
export function credentialsFile(settings: Settings): string | undefined {
  return isExternal(settings) ? undefined : join(settings.dataDirectory, 'credentials')
}

async function saveCredentials(
  settings: Settings,
  credentials: { username: string; key: string },
): Promise<void> {
  const file = credentialsFile(settings)
  if (file !== undefined) await writeFile(file, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
}
