import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../../import/api.ts'
import { type CliResult, runCli } from '../../run-cli.ts'
import { type ServerProcess, startServerProcess } from '../../server-process.ts'
import { waitUntil } from '../../wait-until.ts'

const API_KEY = 'hd_the-key-of-the-admin-of-the-suite-of-backups-0'

/** A server process with its data directory, and commands with the same settings. */
export class Installation {
  readonly data: string
  environment: Record<string, string>
  #process: ServerProcess | undefined

  constructor(data: string, environment: Record<string, string>) {
    this.data = data
    this.environment = environment
  }

  async start(): Promise<void> {
    this.#process = await startServerProcess({
      data: this.data,
      adminPassword: API_KEY,
      apiKey: API_KEY,
      command: [process.execPath, 'dist/main.js'],
      environment: this.environment,
    })
  }

  get server(): Server {
    return { url: this.#process?.url ?? '', key: API_KEY }
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  /** Kills Heddle and its ClickHouse. */
  async kill(): Promise<void> {
    const file = join(this.data, 'clickhouse.json')
    const { pid } = existsSync(file)
      ? (JSON.parse(await readFile(file, 'utf8')) as { pid: number })
      : { pid: 0 }
    if (pid !== 0) killIfAlive(pid)
    await this.#process?.kill()
    await waitUntil(() => pid === 0 || !isAlive(pid))
  }

  async run(...args: readonly string[]): Promise<CliResult> {
    return runCli(args, { env: { ...process.env, HEDDLE_DATA: this.data, ...this.environment } })
  }

  /** What a command prints with `--json`: one document. The command must succeed. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    assert.equal(code, 0, `heddle ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  spawn(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, ['dist/main.js', ...args], {
      stdio: 'ignore',
      env: { ...process.env, HEDDLE_DATA: this.data, HEDDLE_LOG_LEVEL: 'error', ...this.environment },
    })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function killIfAlive(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

export interface BackupSummary {
  readonly id: string
  readonly base_id: string | null
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
}

export interface ListedBackup {
  readonly id: string
  readonly status: string
}

export const describe = ({ rows, bytes, seconds }: BackupSummary): string =>
  `${rows} rows, ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s`
