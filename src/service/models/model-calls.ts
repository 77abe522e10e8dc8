import type { CompletionRequest } from '../../contract/models/completions.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { CompletionInputs } from '../../core/models/completion-request.ts'
import { entries } from '../../core/json/navigate.ts'
import { buildObject } from '../../core/json/object.ts'
import { formatTime, type Micros } from '../../core/time/time.ts'
import { writeEncoded } from '../../store/calls/write/write-encoded.ts'
import { newEncoder } from '../calls/new-encoder.ts'
import type { Caller, Deps } from '../deps.ts'

/** The call that records a request to a model, as the official SDK would have logged it. */

export interface CallIdentity {
  readonly weave_call_id: string
  readonly span_id: string
  readonly trace_id: string
  readonly conversation_id: string | null
}

/** What became of the request. */
export interface ModelOutcome {
  readonly output: RawJson
  /** Usage as the provider reported it; undefined: none. */
  readonly usage: RawJson | undefined
  readonly model: string
  readonly error: string | undefined
}

export class ModelCall {
  readonly identity: CallIdentity
  readonly #deps: Deps
  readonly #request: CompletionRequest
  readonly #opName: string
  readonly #startedAt: Micros

  constructor(deps: Deps, request: CompletionRequest, opName: string) {
    const id = deps.newId()
    this.#deps = deps
    this.#request = request
    this.#opName = opName
    this.#startedAt = deps.now()
    this.identity = {
      weave_call_id: id,
      span_id: id,
      trace_id: request.trace_id ?? deps.newId(),
      conversation_id: request.conversation_id ?? null,
    }
  }

  /** Stores the finished call. */
  async store(inputs: CompletionInputs, outcome: ModelOutcome, caller: Caller): Promise<void> {
    const { weave_call_id: id, trace_id, conversation_id } = this.identity
    const { project_id, parent_id, source } = this.#request
    const encoder = newEncoder(this.#deps, caller.user_id)
    const usage = buildObject([
      ['requests', 1],
      ...(outcome.usage === undefined ? [] : entries(outcome.usage)),
    ])
    const facts = encoder.complete({
      project_id,
      id,
      trace_id,
      parent_id: parent_id ?? null,
      thread_id: conversation_id,
      op_name: this.#opName,
      started_at: formatTime(this.#startedAt),
      ended_at: formatTime(this.#deps.now()),
      inputs: inputs.recorded,
      output: outcome.output,
      exception: outcome.error ?? null,
      attributes: RawJson.fromValue({ weave: { source: source ?? 'heddle' } }),
      summary: buildObject(
        outcome.error === undefined ? [['usage', buildObject([[outcome.model, usage]])]] : [],
      ),
    })
    await writeEncoded(this.#deps, encoder, [facts])
  }
}
