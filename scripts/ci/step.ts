import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A test step: a name, and a run that reports how many tests passed and failed. */
export interface Step {
  readonly name: string
  readonly run: (output: Output) => Promise<Count>
}

export interface Count {
  readonly passed: number
  readonly failed: number
  /** Failed tests and retried tests with the first lines of their messages; printed again below the table. */
  readonly notes?: readonly string[]
}

/** Collects what a step prints, so that the output of concurrent steps is not mixed. */
export class Output {
  #text = ''
  /** Of the commands that have ended, and of the processes for which they waited. */
  processorSeconds = 0

  write(text: string): void {
    this.#text += text
  }

  get text(): string {
    return this.#text
  }
}

let countedTicks = 0

/** Processor time of the child processes that have ended since the last time this was asked, which is at the end of each. */
function newProcessorSeconds(): number {
  // `cutime` and `cstime`, the 16th and 17th value, of which the second is the name of the program in parentheses.
  const values = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  const ticks = Number(values[13]) + Number(values[14])
  const newTicks = ticks - countedTicks
  countedTicks = ticks
  return newTicks / 100
}

/** Runs a command, captures its output, and returns its exit code and standard output. */
export async function runCommand(
  output: Output,
  command: readonly string[],
  options: SpawnOptions = {},
): Promise<{ code: number; text: string }> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    output.write(chunk.toString())
  })
  child.stderr?.on('data', (chunk: Buffer) => output.write(chunk.toString()))
  child.once('exit', () => {
    output.processorSeconds += newProcessorSeconds()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, text }
}

/** A step that passes or fails as one: an npm script without a test count of its own. */
export function npmScript(name: string, script: string, ...args: string[]): Step {
  return {
    name,
    run: async (output) => {
      const { code } = await runCommand(output, ['npm', 'run', '--silent', script, '--', ...args])
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
    },
  }
}
