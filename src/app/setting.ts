import { readFileSync } from 'node:fs'

/** Kinds of settings, each read from one environment variable. */

export type Environment = Readonly<Record<string, string | undefined>>

export interface Setting<T> {
  readonly variable: string
  readonly fallback: T
  /** Throws if the text is not a value of this setting. */
  readonly parse: (text: string) => T
  /** Never printed, and also read from the file that `<variable>_FILE` names. */
  readonly isSecret?: true
}

/** Where a value comes from; `file` is that of a `_FILE` variable. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'default'

export interface ReadSetting<T> {
  readonly value: T
  readonly source: SettingSource
}

/** An empty variable counts as unset. */
export function readSetting<T>(env: Environment, setting: Setting<T>): ReadSetting<T> {
  const { variable, isSecret = false, fallback, parse } = setting
  const text = nonEmpty(env[variable])
  const fileText = isSecret ? findSecretFile(env, variable) : undefined
  if (fileText !== undefined) return { value: parse(fileText), source: 'file' }
  if (text !== undefined) return { value: parse(text), source: 'environment' }
  return { value: fallback, source: 'default' }
}

/** A secret from its variable or from the file that `<variable>_FILE` names; undefined if neither is set. */
export function findSecret(env: Environment, variable: string): string | undefined {
  return readSetting(env, secret(variable)).value
}

/** Docker and Kubernetes mount secrets as files, so that they are not in the environment of every child process. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`
}

function findSecretFile(env: Environment, variable: string): string | undefined {
  const path = nonEmpty(env[fileVariable(variable)])
  if (path === undefined) return undefined
  if (nonEmpty(env[variable]) !== undefined)
    throw new Error(`${variable} and ${fileVariable(variable)} are both set; unset one of them`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(
      `${fileVariable(variable)} names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
  // Editors and `echo` end a file with a newline.
  const value = text.replace(/[\r\n]+$/, '')
  if (value === '') throw new Error(`${fileVariable(variable)} names an empty file: ${path}`)
  return value
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

export function text(variable: string, fallback: string): Setting<string> {
  return { variable, fallback, parse: (value) => value }
}

export function optional(variable: string): Setting<string | undefined> {
  return { variable, fallback: undefined, parse: (value) => value }
}

export function secret(variable: string): Setting<string | undefined>
export function secret(variable: string, fallback: string): Setting<string>
export function secret(variable: string, fallback?: string): Setting<string | undefined> {
  return { variable, fallback, parse: (value) => value, isSecret: true }
}

interface Range {
  readonly min?: number
  readonly max?: number
}

export const MAX_PORT = 65_535

export function integer(variable: string, fallback: number, range: Range = {}): Setting<number> {
  return { variable, fallback, parse: (value) => parseInteger(variable, value, range) }
}

export function port(variable: string, fallback: number): Setting<number> {
  return integer(variable, fallback, { max: MAX_PORT })
}

export function oneOf<T extends string>(variable: string, values: readonly T[], fallback: T): Setting<T> {
  const parse = (value: string): T => {
    const known = values.find((name) => name === value)
    if (known === undefined) throw new Error(`${variable} must be ${values.join(', ')}, not "${value}"`)
    return known
  }
  return { variable, fallback, parse }
}

/** A port, or one of the words; the first word is the default. */
export function portOr<T extends string>(
  variable: string,
  ...words: readonly [T, ...T[]]
): Setting<T | number> {
  const parse = (value: string): T | number =>
    words.find((word) => word === value) ?? parseInteger(variable, value, { max: MAX_PORT })
  return { variable, fallback: words[0], parse }
}

/** The URL that paths are appended to. */
export function httpUrl(variable: string, fallback: string): Setting<string> {
  const parse = (value: string): string => {
    if (/^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value)) return value
    throw new Error(`${variable} must be a URL such as ${fallback}`)
  }
  return { variable, fallback, parse }
}

/** The start of every URL path, such as `/heddle`; empty for `/`. */
export function pathPrefix(variable: string): Setting<string> {
  const parse = (value: string): string => {
    const prefix = value.replace(/\/+$/, '')
    if (/^(?:\/[\w.~-]+)*$/.test(prefix)) return prefix
    throw new Error(`${variable} must be a path such as /heddle, not "${value}"`)
  }
  return { variable, fallback: '', parse }
}

function parseInteger(variable: string, text: string, { min = 0, max }: Range): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) {
    if (value < min) throw new Error(`${variable} must be at least ${min}, not ${value}`)
    if (max !== undefined && value > max) throw new Error(`${variable} must be at most ${max}, not ${value}`)
    return value
  }
  const hint = text.startsWith('tcp://')
    ? '; Kubernetes sets it for a Service of this name: set `enableServiceLinks: false` in the pod, or set the variable yourself'
    : ''
  throw new Error(`${variable} must be a whole number, not "${text}"${hint}`)
}
