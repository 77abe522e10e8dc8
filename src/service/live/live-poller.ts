import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import type { LiveCursor } from '../../core/live/live-cursor.ts'
import type { Database } from '../../store/database/database.ts'
import type { Channel } from './live-channel.ts'
import { type LiveOptions, readPages } from './live-page.ts'
import type { LogEnds } from './log-ends.ts'

/** Channels per statement, which has several parameters for each. A poll of more needs several statements. */
const MAX_CHANNELS_PER_POLL = 400

/**
 * Reads the live log for all followed projects of this process: one poll per interval, however many there are. A
 * project with more rows than its share of a poll is read on its own until it has caught up, between the polls of the
 * others.
 */
export class LivePoller {
  readonly #db: Database
  readonly #ends: LogEnds
  readonly #options: LiveOptions
  readonly #channels: () => Iterable<Channel>
  /** Channels that lag, in round-robin order. */
  readonly #lagging = new Set<Channel>()
  #isRunning = false

  /** `channels` returns all open channels; those without a cursor have no subscribers and are not read. */
  constructor(db: Database, ends: LogEnds, options: LiveOptions, channels: () => Iterable<Channel>) {
    this.#db = db
    this.#ends = ends
    this.#options = options
    this.#channels = channels
  }

  /** Starts polling unless it is running. It stops when there are no subscribers. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    const { pollMs, heartbeatMs } = this.#options
    const heartbeat = setInterval(() => {
      for (const { channel } of this.#followed()) channel.sendHeartbeat()
    }, heartbeatMs)
    let refreshedAt = performance.now()
    // A subscriber that joins while the last poll is still running is served by this same loop.
    for (let followed = this.#followed(); followed.length > 0; followed = this.#followed()) {
      const startedAt = performance.now()
      try {
        await this.#poll(followed.filter(({ channel }) => !channel.isLagging))
        if (startedAt - refreshedAt >= heartbeatMs) {
          await this.#refresh()
          refreshedAt = startedAt
        }
        await this.#catchUp(startedAt + pollMs)
        await wait(Math.max(0, startedAt + pollMs - performance.now()))
      } catch (error) {
        // ClickHouse is unavailable: connections and cursors are kept until it is back.
        if (error instanceof ApiError) await wait(4 * pollMs)
        else for (const { channel } of this.#followed()) channel.end(asError(error))
      }
    }
    clearInterval(heartbeat)
    this.#isRunning = false
  }

  #followed(): Followed[] {
    const followed: Followed[] = []
    for (const channel of this.#channels()) {
      const { project_id, cursor } = channel
      if (cursor !== undefined) followed.push({ channel, project_id, cursor })
    }
    return followed
  }

  async #poll(followed: readonly Followed[]): Promise<void> {
    const { pageRows, pollRows } = this.#options
    for (let i = 0; i < followed.length; i += MAX_CHANNELS_PER_POLL) {
      const part = followed.slice(i, i + MAX_CHANNELS_PER_POLL)
      const share = Math.ceil(pollRows / part.length)
      await this.#read(part, Math.min(pageRows, share))
    }
  }

  /** Reads pages of the projects that lag, in turn, until the next poll is due. */
  async #catchUp(untilMs: number): Promise<void> {
    for (const { channel } of this.#followed()) if (channel.isLagging) this.#lagging.add(channel)
    for (const channel of this.#lagging) {
      this.#lagging.delete(channel)
      const { project_id, cursor } = channel
      if (cursor === undefined) continue
      await this.#read([{ channel, project_id, cursor }], this.#options.pageRows)
      // A set visits what is added during its iteration.
      if (channel.isLagging) this.#lagging.add(channel)
      if (performance.now() >= untilMs) return
    }
  }

  async #read(followed: readonly Followed[], limit: number): Promise<void> {
    try {
      const pageOf = await readPages(this.#db, followed, limit, this.#options.order)
      for (const each of followed) each.channel.emit(each.cursor, pageOf(each))
    } catch (error) {
      if (error instanceof ApiError) throw error
      // A failure that is caused by one project must not end the streams of the others.
      if (followed.length === 1) followed[0]?.channel.end(asError(error))
      else for (const each of followed) await this.#read([each], limit)
    }
  }

  async #refresh(): Promise<void> {
    const idle = this.#followed().filter(({ channel }) => channel.takeIdle())
    await Promise.all(
      idle.map(async ({ channel, project_id, cursor }) =>
        channel.refresh(cursor, await this.#ends.read(project_id)),
      ),
    )
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

interface Followed {
  readonly channel: Channel
  readonly project_id: string
  readonly cursor: LiveCursor
}
