import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PYTHON_VARIABLES } from '../installations.ts'

/** Environment variables of a program: what a user would set, and an empty home directory without other settings. */
export async function programEnvironment(
  url: string,
  apiKey: string,
  directory: string,
): Promise<NodeJS.ProcessEnv> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(WANDB|WEAVE|WF|HEDDLE)_/.test(name))
  return {
    ...Object.fromEntries(inherited),
    HOME: await mkdtemp(join(directory, 'home-')),
    WANDB_BASE_URL: url,
    WANDB_API_KEY: apiKey,
    // The SDK caches responses on disk and does not key them by server.
    WEAVE_SERVER_CACHE_DIR: await mkdtemp(join(directory, 'cache-')),
    WANDB_ERROR_REPORTING: 'false',
    WEAVE_PRINT_CALL_LINK: 'false',
    ...PYTHON_VARIABLES,
  }
}

/** The npm release uses https for any custom base URL, so plain http needs the URL of the trace API. */
export function typescriptVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, WF_TRACE_SERVER_URL: `${env['WANDB_BASE_URL']}/traces` }
}

export interface ProgramResult {
  readonly code: number
  readonly output: string
}

/** Runs a program to completion and collects its output, which is also printed unless `isQuiet`. */
export async function runProgram(
  command: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; isQuiet?: boolean },
): Promise<ProgramResult> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (options.isQuiet !== true) process.stdout.write(chunk)
    })
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code: code ?? 1, output: signal === null ? output : `${output}\nended by ${signal}\n` }
}

export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'heddle-sdk-'))
}
