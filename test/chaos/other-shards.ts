import { callIdIn, type Load } from './calls-load.ts'
import type { ChaosResponse } from './client.ts'
import type { Cluster, Node } from './cluster.ts'
import { expectedVisibility, findFault } from './expected.ts'
import { BLOCK, PROJECTS } from './records.ts'
import type { Shard } from './shard.ts'

/** A shard that is down must not delay what is on the others by more. */
const MAX_MS = 10_000
const READS = 5

/**
 * What must work while one shard is down and nothing else is: calls of the other shards are acknowledged and can be read by
 * id, and a list that lacks a call of the shard says so, or fails.
 */
export class OtherShards {
  readonly #cluster: Cluster
  readonly #load: Load
  readonly summary = {
    calls_written: 0,
    calls_read: 0,
    complete_lists: 0,
    partial_lists: 0,
    failed_lists: 0,
    slowest_write_ms: 0,
    slowest_read_ms: 0,
    slowest_list_ms: 0,
  }

  constructor(cluster: Cluster, load: Load) {
    this.#cluster = cluster
    this.#load = load
  }

  async check(down: Shard): Promise<void> {
    for (const node of this.#cluster.nodes) await this.#checkNode(node, down)
  }

  async #checkNode(node: Node, down: Shard): Promise<void> {
    const { history, records, random } = this.#load
    const first = history.takeBlock()
    const project_id = PROJECTS[records.projectOf(first)]!
    const block = Array.from({ length: BLOCK }, (_, i) => first + i)
    const calls = block.filter((n) => !this.#isOn(n, down))
    if (!(await this.#write(node, down, project_id, calls))) return
    for (let i = 0; i < READS; i++) await this.#read(node, down, random.pick(calls))
    await this.#list(node, down, project_id, { first, calls })
  }

  async #write(node: Node, down: Shard, project_id: string, calls: readonly number[]): Promise<boolean> {
    const { history, records } = this.#load
    for (const n of calls) for (const fact of ['start', 'end'] as const) history.sent(n, fact)
    const body = `{"batch":[${calls.map((n) => records.complete(n)).join(',')}]}`
    const { response, ms } = await this.#send(node, `/v2/${project_id}/calls/complete`, body)
    this.#slowest('slowest_write_ms', ms)
    if (response?.status !== 200 || ms > MAX_MS) {
      this.#report(node, down, `a write of calls of other shards got ${outcome(response, ms)}`)
      return false
    }
    for (const n of calls) for (const fact of ['start', 'end'] as const) history.ack(n, fact)
    history.acked += calls.length
    this.summary.calls_written += calls.length
    return true
  }

  async #read(node: Node, down: Shard, n: number): Promise<void> {
    const { history, records } = this.#load
    const project_id = PROJECTS[records.projectOf(n)]
    const body = `{"project_id":"${project_id}","id":"${records.idOf(n)}"}`
    const { response, ms } = await this.#send(node, '/call/read', body)
    this.#slowest('slowest_read_ms', ms)
    this.summary.calls_read++
    const isRight = response?.status === 200 && findFault(history, records, n, response.text) === undefined
    if (!isRight || ms > MAX_MS)
      this.#report(node, down, `a read of a call of another shard got ${outcome(response, ms)}`)
  }

  /** Of these calls and of an earlier block, which has calls on all shards. */
  async #list(
    node: Node,
    down: Shard,
    project_id: string,
    { first, calls }: { readonly first: number; readonly calls: readonly number[] },
  ): Promise<void> {
    const { history, records } = this.#load
    const earlier = this.#earlierBlock(first)
    const expected = [...calls, ...earlier].filter((n) => expectedVisibility(history, n) === 'must')
    const ids = expected.map((n) => `"${records.idOf(n)}"`).join(',')
    const body = `{"project_id":"${project_id}","filter":{"call_ids":[${ids}]}}`
    for (const acceptsPartial of [true, false])
      await this.#checkList(node, down, expected, body, acceptsPartial)
  }

  async #checkList(
    node: Node,
    down: Shard,
    expected: readonly number[],
    body: string,
    acceptsPartial: boolean,
  ): Promise<void> {
    const { history, records } = this.#load
    const { response, ms } = await this.#send(node, '/calls/stream_query', body, acceptsPartial)
    this.#slowest('slowest_list_ms', ms)
    if (response?.status !== 200) {
      this.summary.failed_lists++
      return
    }
    if (response.isPartial && !acceptsPartial)
      this.#report(node, down, 'a list is partial for a client that did not accept it')
    if (response.isPartial) this.summary.partial_lists++
    else this.summary.complete_lists++
    const seen = new Set(response.text.split('\n').map(callIdIn))
    // Another client may have begun to delete one in the meantime.
    const isExpected = (n: number): boolean => expectedVisibility(history, n) === 'must'
    const missing = expected.filter((n) => !seen.has(records.idOf(n)) && isExpected(n))
    const wrong = response.isPartial ? missing.filter((n) => !this.#isOn(n, down)) : missing
    if (wrong.length > 0) {
      const mark = response.isPartial ? 'a partial list, calls of other shards' : 'a list without a mark'
      const again = await this.#send(node, '/calls/stream_query', body, acceptsPartial)
      const seenAgain = new Set((again.response?.text ?? '').split('\n').map(callIdIn))
      const described = wrong.slice(0, 5).map((n) => {
        const isBack = seenAgain.has(records.idOf(n)) ? ', there in the next list' : ''
        return `${records.idOf(n)} (${history.describe(n)}${isBack})`
      })
      this.#report(
        node,
        down,
        `${mark}: ${wrong.length} of ${expected.length} acknowledged calls are missing after ${ms} ms: ${described.join(', ')}`,
      )
    }
  }

  /** A block of the same project that was acknowledged before. `first` is the first number of a block. */
  #earlierBlock(first: number): readonly number[] {
    const { history, records } = this.#load
    for (let block = first - BLOCK; block >= 0; block -= BLOCK) {
      const isKnown = expectedVisibility(history, block) === 'must'
      if (isKnown && records.projectOf(block) === records.projectOf(first))
        return Array.from({ length: BLOCK }, (_, i) => block + i)
    }
    return []
  }

  #isOn(n: number, shard: Shard): boolean {
    const { records } = this.#load
    return this.#cluster.shardsOf(PROJECTS[records.projectOf(n)]!, records.idOf(n)).includes(shard.index)
  }

  async #send(
    node: Node,
    path: string,
    body: string,
    acceptsPartial = false,
  ): Promise<{ response: ChaosResponse | undefined; ms: number }> {
    const startedAt = performance.now()
    const response = await this.#load.client.attempt(path, body, node, acceptsPartial)
    return { response, ms: Math.round(performance.now() - startedAt) }
  }

  #slowest(name: `slowest_${string}_ms` & keyof OtherShards['summary'], ms: number): void {
    this.summary[name] = Math.max(this.summary[name], ms)
  }

  #report(node: Node, down: Shard, sentence: string): void {
    this.#load.tally.reportError(`while ${down.name} was down, node ${node.name}: ${sentence}`)
  }
}

function outcome(response: ChaosResponse | undefined, ms: number): string {
  if (response === undefined) return `no response within ${ms} ms`
  return `${response.status} after ${ms} ms: ${response.text.slice(0, 300)}`
}
