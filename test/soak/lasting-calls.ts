import { randomUUID } from 'node:crypto'

/** Writes calls that retention must keep, and checks that they are unchanged at the end. */
export interface Client {
  post(path: string, body: unknown): Promise<string>
}

export const SOAKED = 'admin/soak'
/** Has no policy. */
const UNLIMITED = 'admin/unlimited'
export const KEEP_TAG = 'keep'

interface LastingCall {
  readonly project_id: string
  readonly id: string
  readonly text: string
}

export class LastingCalls {
  readonly #client: Client
  readonly #calls: LastingCall[] = []

  constructor(client: Client) {
    this.#client = client
  }

  get count(): number {
    return this.#calls.length
  }

  /** Those of the project with a policy. */
  get soakedCount(): number {
    return this.#calls.filter(({ project_id }) => project_id === SOAKED).length
  }

  /** A trace with a tag to keep, a trace with feedback, and a call of a project without a policy. */
  async write(): Promise<void> {
    const tagged = [this.#call(SOAKED), this.#call(SOAKED)]
    const reviewed = this.#call(SOAKED)
    const unlimited = this.#call(UNLIMITED)
    await this.#store(SOAKED, tagged, { tags: [KEEP_TAG] })
    await this.#store(SOAKED, [reviewed], {})
    await this.#store(UNLIMITED, [unlimited], {})
    await this.#client.post('/feedback/create', {
      project_id: SOAKED,
      weave_ref: `weave:///${SOAKED}/call/${reviewed.id}`,
      feedback_type: 'wandb.note.1',
      payload: { note: 'worth keeping' },
    })
    this.#calls.push(...tagged, reviewed, unlimited)
  }

  /** What is missing or altered. */
  async check(): Promise<string[]> {
    const problems: string[] = []
    for (const { project_id, id, text } of this.#calls) {
      const { call } = JSON.parse(await this.#client.post('/call/read', { project_id, id })) as {
        call: { inputs: { text?: string } } | null
      }
      if (call === null) problems.push(`${project_id} ${id} is missing`)
      else if (call.inputs.text !== text) problems.push(`${project_id} ${id} is altered`)
    }
    return problems
  }

  #call(project_id: string): LastingCall {
    const text = Buffer.from(randomUUID().repeat(20)).toString('base64')
    return { project_id, id: randomUUID(), text }
  }

  async #store(project_id: string, calls: readonly LastingCall[], attributes: object): Promise<void> {
    const trace_id = randomUUID()
    const now = new Date().toISOString()
    const batch = calls.map(({ id, text }) => ({
      project_id,
      id,
      trace_id,
      op_name: 'kept',
      started_at: now,
      ended_at: now,
      attributes,
      inputs: { text },
      output: null,
      summary: {},
    }))
    await this.#client.post(`/v2/${project_id}/calls/complete`, { batch })
  }
}
