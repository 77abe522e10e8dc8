import { Readable } from 'node:stream'
import { run } from '../src/cli/run.ts'

/** The result of a `heddle` command. */
export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the command reads from standard input. */
  readonly input?: string
  /** Whether standard error is a terminal. */
  readonly isTTY?: boolean
}

/** Runs a `heddle` command in this process: starting a process from source is slow. */
export async function runCli(
  args: readonly string[],
  { env, input = '', isTTY = false }: CliOptions,
): Promise<CliResult> {
  const output = { stdout: '', stderr: '' }
  const code = await run(args, {
    env,
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text), isTTY },
    once: () => undefined,
  })
  return { code, ...output }
}
