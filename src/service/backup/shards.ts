import type { Database } from '../../store/database/database.ts'
import type { BackupProgress } from './backup-target.ts'

/** Runs a step of a backup or restore on one server of each shard, all at the same time. */

export interface ShardStep {
  /** Of this shard; the progress of all is shown as one. */
  readonly progress: BackupProgress
  /** Also aborted when another shard has failed. */
  readonly signal: AbortSignal
}

interface ShardOptions {
  readonly progress: BackupProgress
  readonly signal?: AbortSignal | undefined
}

/** Waits for all of them. Throws the first error; the others are cancelled then. */
export async function runOnShards<Result>(
  servers: readonly Database[],
  { progress, signal }: ShardOptions,
  work: (server: Database, index: number, step: ShardStep) => Promise<Result>,
): Promise<Result[]> {
  const failing = new AbortController()
  const shared = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal])
  const sums = new ProgressSums(progress)
  const errors: unknown[] = []
  const run = async (server: Database, index: number): Promise<Result | undefined> => {
    try {
      return await work(server, index, { progress: sums.part(index), signal: shared })
    } catch (error) {
      errors.push(servers.length === 1 ? error : withShard(error, index + 1, server))
      failing.abort()
      return undefined
    }
  }
  const results = await Promise.all(servers.map(run))
  if (errors.length > 0) throw errors[0]
  return results as Result[]
}

function withShard(error: unknown, number: number, { settings }: Database): Error {
  const message = error instanceof Error ? error.message : String(error)
  return new Error(`shard ${number} (${settings.url}): ${message}`, { cause: error })
}

/** Adds up the progress of several shards. */
class ProgressSums {
  readonly #progress: BackupProgress
  readonly #totals = new Map<string, number[]>()
  readonly #done = new Map<string, number[]>()

  constructor(progress: BackupProgress) {
    this.#progress = progress
  }

  part(index: number): BackupProgress {
    return {
      setTotal: (phase, total) => this.#progress.setTotal(phase, add(this.#totals, phase, index, total)),
      update: (phase, done) => this.#progress.update(phase, add(this.#done, phase, index, done)),
      message: (text) => this.#progress.message(text),
    }
  }
}

function add(values: Map<string, number[]>, phase: string, index: number, value: number): number {
  const own = values.get(phase) ?? []
  own[index] = value
  values.set(phase, own)
  return own.reduce((sum, each) => sum + each, 0)
}
