import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encryption of secrets with AES-256-GCM. */

export interface SecretKey {
  /** Stored beside each secret, so that it is known which key decrypts it. Reveals nothing of the key. */
  readonly key_id: string
  readonly key: Buffer
}

/** The keys that encrypt secrets. They are outside the database. */
export interface SecretKeys {
  /** The key for new secrets, created if there is none. Throws `conflict` if none can be created. */
  current(): SecretKey
  /** Undefined if this server does not have it. */
  find(key_id: string): SecretKey | undefined
}

/** What a ciphertext belongs to. It decrypts nowhere else: not for another project, name or destination. */
export interface SecretIdentity {
  readonly project_id: string
  readonly name: string
  readonly origins: readonly string[]
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
export const MIN_KEY_CHARACTERS = 32

/** Derives a key from text of any length. */
export function deriveSecretKey(text: string): SecretKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', text, '', `heddle secrets: ${purpose}`, bytes))
  return { key_id: derive('key id', 4).toString('hex'), key: derive('encryption', 32) }
}

export function newSecretKeyText(): string {
  return randomBytes(32).toString('base64url')
}

export function encryptSecret({ key }: SecretKey, value: string, identity: SecretIdentity): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(identity))
  const encrypted = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64')
}

/** Throws if the ciphertext was changed, or belongs to another key or identity. */
export function decryptSecret({ key }: SecretKey, ciphertext: string, identity: SecretIdentity): string {
  const bytes = Buffer.from(ciphertext, 'base64')
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(authenticated(identity)).setAuthTag(bytes.subarray(end))
  return decipher.update(bytes.subarray(NONCE_BYTES, end)).toString('utf8') + decipher.final('utf8')
}

function authenticated({ project_id, name, origins }: SecretIdentity): Buffer {
  return Buffer.from(JSON.stringify([project_id, name, origins]))
}
