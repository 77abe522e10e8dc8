import { ApiError, unprocessable } from '../../contract/api-error.ts'
import {
  decryptSecret,
  encryptSecret,
  type SecretIdentity,
  type SecretKeys,
} from '../../core/models/secret-cipher.ts'
import { formatTime, laterTime, parseTime } from '../../core/time/time.ts'
import {
  findSecretRow,
  listOutdatedSecrets,
  listSecrets,
  type SecretRow,
  writeSecrets,
} from '../../store/models/secrets.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Secrets of projects: set, listed by name, deleted, and read for requests to the origins that they were set for. */

type SecretDeps = Pick<Deps, 'db' | 'now' | 'secretKeys'>
type Operation = 'secrets_list' | 'secret_set' | 'secret_delete'

const MAX_SECRETS = 200

export function secretsHandlers(deps: Deps): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    secrets_list: async ({ project_id }) => ({
      secrets: (await listSecrets(db, project_id)).map(({ name, origins, changed_by, changed_at }) => ({
        name,
        origins: [...origins],
        changed_by,
        changed_at,
      })),
    }),
    secret_set: async ({ project_id, name, value, origins }, { username }) => {
      await setSecret(deps, { project_id, name, origins }, value, username)
      return {}
    },
    secret_delete: async ({ project_id, name }, { username }) => {
      await deleteSecret(deps, project_id, name, username)
      return {}
    },
  }
}

export async function setSecret(
  { db, now, secretKeys }: SecretDeps,
  { project_id, name, origins: given }: SecretIdentity,
  value: string,
  changed_by: string,
): Promise<void> {
  const origins = [...new Set(given.map(parseOrigin))]
  const stored = await listSecrets(db, project_id)
  const existing = stored.find((row) => row.name === name)
  if (existing === undefined && stored.length >= MAX_SECRETS)
    throw new ApiError('conflict', `a project has at most ${MAX_SECRETS} secrets; delete one first`)
  const key = secretKeys.current()
  const identity = { project_id, name, origins }
  const ciphertext = encryptSecret(key, value, identity)
  const changed_at = existing === undefined ? formatTime(now()) : laterTime(now(), existing.changed_at)
  await writeSecrets(db, [
    { ...identity, key_id: key.key_id, ciphertext, changed_by, changed_at, is_deleted: 0 },
  ])
}

function parseOrigin(text: string): string {
  if (URL.canParse(text)) return new URL(text).origin
  throw unprocessable(['origins'], `"${text}" is not an origin such as https://api.openai.com`)
}

export async function deleteSecret(
  { db, now }: SecretDeps,
  project_id: string,
  name: string,
  changed_by: string,
): Promise<void> {
  const existing = await findSecretRow(db, project_id, name)
  if (existing === undefined) throw new ApiError('not_found', `the project has no secret ${name}`)
  const changed_at = laterTime(now(), existing.changed_at)
  await writeSecrets(db, [{ ...existing, key_id: '', ciphertext: '', changed_by, changed_at, is_deleted: 1 }])
}

/** The value of a secret for a request to this origin. Errors name neither the value nor the ciphertext. */
export async function readSecret(
  { db, secretKeys }: SecretDeps,
  project_id: string,
  name: string,
  origin: string,
): Promise<string | undefined> {
  const row = await findSecretRow(db, project_id, name)
  if (row === undefined) return undefined
  if (!row.origins.includes(origin))
    throw new ApiError(
      'forbidden',
      `the secret ${name} may be sent to ${row.origins.join(', ')} only, not to ${origin}; an admin of the project can set it for this origin`,
    )
  return decryptRow(secretKeys, row)
}

function decryptRow(secretKeys: SecretKeys, row: SecretRow): string {
  const key = secretKeys.find(row.key_id)
  const failure = (reason: string): ApiError =>
    new ApiError('conflict', `the secret ${row.name} cannot be decrypted: ${reason}`)
  if (key === undefined)
    throw failure(`this server lacks the key ${row.key_id}; set the secret again, or HEDDLE_SECRET_KEY`)
  try {
    return decryptSecret(key, row.ciphertext, row)
  } catch {
    throw failure('its row was changed; set the secret again')
  }
}

/** What became of the secrets that were not encrypted with the current key. */
export interface Rotation {
  readonly key_id: string
  readonly rotated: number
  /** Encrypted with keys that are not here, as `entity/project NAME`. */
  readonly unreadable: readonly string[]
}

/** Encrypts all secrets with the current key. A value that is set meanwhile is later, and stays. */
export async function rotateSecrets({ db, secretKeys }: SecretDeps): Promise<Rotation> {
  const key = secretKeys.current()
  const rows = await listOutdatedSecrets(db, key.key_id)
  const unreadable: string[] = []
  const rotated = rows.flatMap((row) => {
    let value: string
    try {
      value = decryptRow(secretKeys, row)
    } catch {
      unreadable.push(`${row.project_id} ${row.name}`)
      return []
    }
    const changed_at = formatTime((parseTime(row.changed_at) ?? 0n) + 1n)
    const ciphertext = encryptSecret(key, value, row)
    return [{ ...row, key_id: key.key_id, ciphertext, changed_at, is_deleted: 0 as const }]
  })
  await writeSecrets(db, rotated)
  return { key_id: key.key_id, rotated: rotated.length, unreadable }
}
