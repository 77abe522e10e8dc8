import type { ChatMessage, ChatTurn } from '../../contract/agents/chat.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { latencyMs, type StoredCallRow } from '../calls/call-view.ts'
import { documentText, jsonAt, parseDocument, textAt, textsAt, valueAt } from './document.ts'
import { type Message, messagesIn } from './messages.ts'
import { orNull, spanId, spanStatus, spanTokens } from './span-view.ts'
import { visitSpans } from './span-tree.ts'

/** The spans of a trace as the messages of a chat. */

/** Feedback by call id; undefined if it was not requested. */
export type FeedbackByCall = ReadonlyMap<string, readonly RawJson[]> | undefined

/** `rows` in time order, with their payloads. */
export function viewTurn(
  trace_id: string,
  rows: readonly StoredCallRow[],
  feedback: FeedbackByCall,
): ChatTurn {
  const chat = new Chat(feedback)
  let root: Span | undefined
  for (const { row, parent, isEnd } of visitSpans(rows)) {
    const span = chat.span(row, parent)
    root ??= span
    if (isEnd) chat.end(span)
    else chat.begin(span, row === root.row)
  }
  const sum = (name: keyof Span['tokens']): number =>
    chat.spans.reduce((total, { tokens }) => total + (tokens[name] ?? 0), 0)
  return {
    trace_id,
    root_span_name: root === undefined ? null : textAt(root.attributes, 'otel.name'),
    agent_name: root?.agent.name ?? null,
    agent_version: root?.agent.version ?? null,
    provider: chat.spans.map(({ attributes }) => textAt(attributes, 'provider')).find(isText) ?? null,
    status_code: root?.status ?? null,
    wb_user_id: orNull(root?.row.wb_user_id),
    started_at: root?.row.started_at ?? null,
    ended_at: root?.row.ended_at ?? null,
    total_duration_ms: root === undefined ? null : (latencyMs(root.row) ?? null),
    total_input_tokens: sum('input_tokens'),
    total_output_tokens: sum('output_tokens'),
    total_reasoning_tokens: sum('reasoning_tokens'),
    total_cache_creation_input_tokens: sum('cache_creation_input_tokens'),
    total_cache_read_input_tokens: sum('cache_read_input_tokens'),
    total_cost_usd: null,
    messages: chat.messages,
    feedback: root === undefined ? null : feedbackOf(feedback, root.row.id),
  }
}

interface Span {
  readonly row: StoredCallRow
  readonly kind: unknown
  readonly attributes: unknown
  readonly inputs: unknown
  readonly output: unknown
  readonly status: ReturnType<typeof spanStatus>
  readonly tokens: ReturnType<typeof spanTokens>
  readonly agent: { readonly name: string | null; readonly version: string | null }
}

const TOOLS: ReadonlySet<unknown> = new Set(['tool', 'mcp'])

class Chat {
  readonly messages: ChatMessage[] = []
  readonly #spans = new Map<string, Span>()
  readonly #feedback: FeedbackByCall
  /** Agents and models repeat the messages of each other. */
  readonly #asked = new Set<string>()
  readonly #said = new Set<string>()

  constructor(feedback: FeedbackByCall) {
    this.#feedback = feedback
  }

  get spans(): Span[] {
    return [...this.#spans.values()]
  }

  span(row: StoredCallRow, parent: StoredCallRow | undefined): Span {
    const known = this.#spans.get(row.id)
    if (known !== undefined) return known
    const attributes = parseDocument(row.attributes)
    const name = textAt(attributes, 'agent.name')
    const version = textAt(attributes, 'agent.version')
    const above = parent === undefined ? undefined : this.#spans.get(parent.id)
    const span = {
      row,
      kind: valueAt(attributes, 'kind'),
      attributes,
      inputs: parseDocument(row.inputs),
      output: parseDocument(row.output),
      status: spanStatus(row, attributes),
      tokens: spanTokens(row),
      agent: name === null && above !== undefined ? above.agent : { name, version },
    }
    this.#spans.set(row.id, span)
    return span
  }

  begin(span: Span, isRoot: boolean): void {
    const first = this.messages.length
    if (span.kind === 'agent') this.#startAgent(span)
    if (span.kind === 'agent' || span.kind === 'llm') this.#ask(span)
    if (span.kind === 'llm') this.#respond(span)
    if (TOOLS.has(span.kind)) this.#callTool(span)
    const message = this.messages[first]
    if (message !== undefined && !isRoot)
      this.messages[first] = { ...message, feedback: feedbackOf(this.#feedback, span.row.id) }
  }

  /** What an agent responded, unless a model call below it said the same. */
  end(span: Span): void {
    if (span.kind !== 'agent') return
    const text = spoken(messagesIn(span.output))
    if (text !== '' && !this.#said.has(text)) this.#respond(span)
  }

  #startAgent(span: Span): void {
    const { attributes, inputs, status } = span
    this.#add(span, 'agent_start', {
      agent_start: {
        model: textAt(attributes, 'model_requested'),
        system_instructions: jsonAt(inputs, 'system'),
        tool_definitions: jsonAt(inputs, 'tools'),
        status,
      },
    })
  }

  /** The messages of the user at the end of the input; what is before them was said in earlier requests. */
  #ask(span: Span): void {
    const all = messagesIn(span.inputs)
    const asked = all.slice(all.findLastIndex(({ role }) => role !== 'user') + 1)
    for (const each of asked) {
      const text = each.text === '' ? each.content : each.text
      if (text === '' || this.#asked.has(text)) continue
      this.#asked.add(text)
      this.#add(span, 'user_message', { user_message: { text, content_refs: contentRefs(span) } })
    }
  }

  #respond(span: Span): void {
    const { attributes, output, row, status, tokens } = span
    const responses = messagesIn(output)
    const text = spoken(responses)
    this.#said.add(text)
    this.#add(span, 'assistant_message', {
      assistant_message: {
        text,
        model: textAt(attributes, 'model'),
        reasoning_content: joined(responses.map(({ reasoning }) => reasoning)) || null,
        reasoning_tokens: tokens.reasoning_tokens,
        input_tokens: tokens.input_tokens,
        output_tokens: tokens.output_tokens,
        duration_ms: latencyMs(row) ?? null,
        status,
        content_refs: contentRefs(span),
      },
    })
  }

  #callTool(span: Span): void {
    const { attributes, row, status } = span
    this.#add(span, 'tool_call', {
      tool_call: {
        tool_name: textAt(attributes, 'tool.name'),
        tool_arguments: documentText(row.inputs),
        tool_result: documentText(row.output),
        duration_ms: latencyMs(row) ?? null,
        status,
        content_refs: contentRefs(span),
      },
    })
  }

  #add(
    { row, attributes, agent, status }: Span,
    type: ChatMessage['type'],
    payload: Partial<ChatMessage>,
  ): void {
    this.messages.push({
      type,
      span_id: spanId(row.id),
      agent_name: agent.name,
      agent_version: agent.version,
      status_code: status,
      status_message: textAt(attributes, 'otel.status.message'),
      error_type: textAt(attributes, 'error.type'),
      started_at: row.started_at,
      feedback: null,
      ...payload,
    })
  }
}

function contentRefs({ attributes }: Span): string[] {
  return textsAt(attributes, 'weave.content_refs')
}

function spoken(messages: readonly Message[]): string {
  return joined(messages.map(({ text }) => text))
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}

function isText(text: string | null): text is string {
  return text !== null
}

function feedbackOf(feedback: FeedbackByCall, id: string): RawJson[] | null {
  return feedback === undefined ? null : [...(feedback.get(id) ?? [])]
}
