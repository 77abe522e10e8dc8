import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from './wait-until.ts'

/** `heddle serve` in a terminal, where the first start prints secrets. */
export interface TerminalServer {
  /** Everything printed until the last line of the first start. */
  readonly text: string
  /** Stops the server with SIGTERM. */
  stop(): Promise<void>
}

const READY_MS = 60_000

/** `command` starts a server whose data directory is `data`. */
export async function firstStartInTerminal(
  command: readonly string[],
  data: string,
  env: NodeJS.ProcessEnv,
): Promise<TerminalServer> {
  const child = spawn('script', ['-qefc', command.join(' '), '/dev/null'], {
    env,
    // In a session of its own, so that it cannot change a terminal in which tests run.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString().replaceAll('\r', '')))
  const stop = async (): Promise<void> => {
    await signal(child, data)
    await exited
  }
  try {
    await waitUntil(() => text.includes('Create another API key:'), READY_MS)
  } catch (error) {
    await stop()
    throw new Error(`the first start printed: ${text}`, { cause: error })
  }
  return { text, stop }
}

/** The terminal does not pass signals on, so they go to the server that is recorded in the data directory. */
async function signal(child: ChildProcess, data: string): Promise<void> {
  const recorded = await readFile(join(data, 'server.json'), 'utf8').catch(() => undefined)
  if (recorded === undefined) child.kill('SIGKILL')
  else process.kill((JSON.parse(recorded) as { pid: number }).pid, 'SIGTERM')
}
