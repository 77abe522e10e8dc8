import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Settings } from '../app/settings.ts'

type ParseArgsOptionsConfig = NonNullable<ParseArgsConfig['options']>

/** What a command is given of the process. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  once(signal: NodeJS.Signals, listener: () => void): unknown
}

export interface Command {
  /** After the command's name, as it is typed. */
  readonly usage: string
  readonly summary: string
  readonly options: ParseArgsOptionsConfig
  run(args: Arguments, world: World): Promise<void>
}

/** How the command line was wrong; answered with exit code 2. */
export class UsageError extends Error {}

/** Options that name the storage; every command that needs it takes them. */
export const STORAGE_OPTIONS = {
  data: { type: 'string' },
  'clickhouse-url': { type: 'string' },
  'clickhouse-user': { type: 'string' },
  database: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

export const JSON_OPTION = { json: { type: 'boolean' } } as const satisfies ParseArgsOptionsConfig

/** The words and options of one command line. */
export class Arguments {
  readonly #words: readonly string[]
  readonly #values: Readonly<Record<string, unknown>>

  constructor(words: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.#words = words
    this.#values = values
  }

  /** The words that the usage names, no more and no fewer. */
  words(...names: readonly string[]): string[] {
    const missing = names[this.#words.length]
    if (missing !== undefined) throw new UsageError(`<${missing}> is missing`)
    if (this.#words.length > names.length)
      throw new UsageError(`"${this.#words[names.length]}" is one word too many`)
    return [...this.#words]
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  integer(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
    return Number(text)
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.text(name)
    const value = values.find((known) => known === text)
    if (text !== undefined && value === undefined)
      throw new UsageError(`--${name} must be ${values.join(', ')}, not "${text}"`)
    return value
  }

  /** Settings given on the command line; they come before the environment. */
  storage(): Partial<Settings> {
    const named = defined({
      dataDirectory: this.text('data'),
      clickhouseUrl: this.text('clickhouse-url'),
      clickhouseUser: this.text('clickhouse-user'),
      clickhouseDatabase: this.text('database'),
    })
    // A data directory asks for the built-in engine, whatever the environment says.
    return named.dataDirectory === undefined ? named : { clickhouseUrl: undefined, ...named }
  }
}

/** Without the keys that are not given. */
export function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

export function readArguments(command: Command, words: readonly string[]): Arguments {
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      options: command.options,
      allowPositionals: true,
      strict: true,
    })
    return new Arguments(positionals, values)
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}
