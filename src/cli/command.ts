import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Settings } from '../app/settings.ts'

type ParseArgsOptionsConfig = NonNullable<ParseArgsConfig['options']>

/** Types and helpers shared by all commands. */

/** The parts of the process that a command uses; tests pass their own. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  once(signal: NodeJS.Signals, listener: () => void): unknown
}

export interface Command {
  /** Arguments and options, as shown after the command's name. */
  readonly usage: string
  readonly summary: string
  readonly options: ParseArgsOptionsConfig
  /** Returns an exit code other than 0 if the command has done its work, and the result is negative. */
  run(args: Arguments, environment: Environment): Promise<number | void>
}

/** An invalid command line; exit code 2. */
export class UsageError extends Error {}

/** Options that select the storage, for every command that opens it. */
export const STORAGE_OPTIONS = {
  data: { type: 'string' },
  'clickhouse-url': { type: 'string' },
  'clickhouse-user': { type: 'string' },
  database: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

export const JSON_OPTION = { json: { type: 'boolean' } } as const satisfies ParseArgsOptionsConfig

/** Positional arguments and options of one command line. */
export class Arguments {
  readonly #positionals: readonly string[]
  readonly #values: Readonly<Record<string, unknown>>

  constructor(positionals: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.#positionals = positionals
    this.#values = values
  }

  /** Returns the positional arguments; throws unless there are exactly as many as names. */
  positionals(...names: readonly string[]): string[] {
    const missing = names[this.#positionals.length]
    if (missing !== undefined) throw new UsageError(`missing argument <${missing}>`)
    if (this.#positionals.length > names.length)
      throw new UsageError(`unexpected argument "${this.#positionals[names.length]}"`)
    return [...this.#positionals]
  }

  /** The only positional argument, if there is one. */
  optional(name: string): string | undefined {
    return this.#positionals.length === 0 ? undefined : this.positionals(name)[0]
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  integer(name: string, { min = 0, max = 999_999_999 } = {}): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
    const value = Number(text)
    if (value < min) throw new UsageError(`--${name} must be at least ${min}, not ${value}`)
    if (value > max) throw new UsageError(`--${name} must be at most ${max}, not ${value}`)
    return value
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.text(name)
    const value = values.find((known) => known === text)
    if (text !== undefined && value === undefined)
      throw new UsageError(`--${name} must be ${values.join(', ')}, not "${text}"`)
    return value
  }

  /** Settings given on the command line; they take precedence over the environment. */
  storage(): Partial<Settings> {
    const named = defined({
      dataDirectory: this.text('data'),
      clickhouseUrl: this.text('clickhouse-url'),
      clickhouseUser: this.text('clickhouse-user'),
      clickhouseDatabase: this.text('database'),
    })
    // --data selects embedded ClickHouse even if the environment names an external one, --clickhouse-url one server.
    if (named.dataDirectory !== undefined) return { clickhouseUrl: undefined, cluster: undefined, ...named }
    return named.clickhouseUrl === undefined ? named : { cluster: undefined, ...named }
  }
}

/** Removes the keys whose value is undefined. */
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
