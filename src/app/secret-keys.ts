import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../contract/api-error.ts'
import {
  deriveSecretKey,
  MIN_KEY_CHARACTERS,
  newSecretKeyText,
  type SecretKey,
  type SecretKeys,
} from '../core/models/secret-cipher.ts'
import { isExternal, type Settings } from './settings.ts'

/** The keys of secrets: those of `HEDDLE_SECRET_KEY`, else those of a file in the data directory. The first one encrypts. */
export function createSecretKeys(settings: Settings): SecretKeys {
  if (settings.secretKey !== undefined) return new ConfiguredKeys(settings.secretKey)
  return isExternal(settings) ? NO_KEYS : new KeyFile(join(settings.dataDirectory, 'secret-keys'))
}

const NO_KEYS: SecretKeys = {
  current: () => {
    throw new ApiError(
      'conflict',
      'secrets cannot be stored: set HEDDLE_SECRET_KEY to the same text of at least 32 characters on all servers',
    )
  },
  find: () => undefined,
}

class ConfiguredKeys implements SecretKeys {
  readonly #keys: readonly SecretKey[]

  constructor(texts: string) {
    const keys = texts.split(',').map((text) => text.trim())
    if (keys.some((text) => text.length < MIN_KEY_CHARACTERS))
      throw new Error(`each key in HEDDLE_SECRET_KEY must have at least ${MIN_KEY_CHARACTERS} characters`)
    this.#keys = keys.map(deriveSecretKey)
  }

  current(): SecretKey {
    return this.#keys[0]!
  }

  find(key_id: string): SecretKey | undefined {
    return this.#keys.find((key) => key.key_id === key_id)
  }
}

/** One key per line. Read again when a key is missing, so that running servers see what `heddle secrets rotate` adds. */
export class KeyFile implements SecretKeys {
  readonly #path: string
  #keys: readonly SecretKey[] = []

  constructor(path: string) {
    this.#path = path
  }

  current(): SecretKey {
    this.#read()
    if (this.#keys[0] === undefined) {
      try {
        // Of several processes that start with no file, one creates it.
        writeFileSync(this.#path, `${newSecretKeyText()}\n`, { mode: 0o600, flag: 'wx' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      this.#read()
    }
    if (this.#keys[0] === undefined)
      throw new ApiError('conflict', 'the file secret-keys of the data directory is empty')
    return this.#keys[0]
  }

  find(key_id: string): SecretKey | undefined {
    const isKnown = this.#keys.some((key) => key.key_id === key_id)
    if (!isKnown) this.#read()
    return this.#keys.find((key) => key.key_id === key_id)
  }

  /** Adds a key, which encrypts from now on. */
  addKey(): SecretKey {
    this.current()
    this.#write([newSecretKeyText(), ...this.#lines()])
    return this.current()
  }

  /** Keeps the key that encrypts and the one before it, which a server may just have used. */
  removeOldest(): void {
    this.#write(this.#lines().slice(0, 2))
  }

  #write(lines: readonly string[]): void {
    // A reader sees the old file or the new one.
    const next = `${this.#path}.next`
    rmSync(next, { force: true })
    writeFileSync(next, lines.map((line) => `${line}\n`).join(''), { mode: 0o600, flag: 'wx', flush: true })
    renameSync(next, this.#path)
    this.#read()
  }

  #lines(): string[] {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
    if ((statSync(this.#path).mode & 0o077) !== 0)
      throw new ApiError('conflict', 'the file secret-keys can be read by others; run `chmod 600` on it')
    return text.split('\n').filter((line) => line !== '')
  }

  #read(): void {
    this.#keys = this.#lines().map(deriveSecretKey)
  }
}
