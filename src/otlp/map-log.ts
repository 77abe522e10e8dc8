import { RawJson } from '../contract/raw-json.ts'
import { writeJson } from '../core/json/write.ts'
import { notKept } from './coding-agents/agent-record.ts'
import { callId } from './call-id.ts'
import { mapAgentLog } from './coding-agents/map-agent-log.ts'
import { logFeedback } from './feedback.ts'
import { eventMessage, parsedValue } from './genai-messages.ts'
import { isAbsent, type Json, type JsonObject } from './json.ts'
import type { MappedContent, MappedLog } from './mapped.ts'
import { normalMessages } from './messages.ts'
import type { LogRecord } from './model.ts'
import { memberAt } from './readers.ts'

/**
 * Maps a log record of a coding agent, or of a GenAI instrumentation, which has the prompts and responses of a span, or an
 * evaluation of it. Other records, and those without a span, are not stored, for a reason that the sender is told.
 */
export function mapLog(record: LogRecord): MappedLog {
  return mapAgentLog(record) ?? mapGenAiLog(record)
}

function mapGenAiLog(record: LogRecord): MappedLog {
  const { traceId, spanId, eventName, attributes, timeNanos } = record
  if (!eventName.startsWith('gen_ai.')) return NO_EVENT
  if (traceId === '' || spanId === '') return NO_SPAN
  const call_id = callId(traceId, spanId)
  if (eventName === 'gen_ai.evaluation.result') {
    const feedback = logFeedback(call_id, attributes, timeNanos)
    return feedback.length === 0 ? NO_CONTENT : { contents: [], feedback }
  }
  if (record.scope.name.startsWith('openlit.')) return REPEATED
  const { inputs, output } = readContent(record)
  if (inputs === undefined && output === undefined) return NO_CONTENT
  const content: MappedContent = { call_id, timeNanos, inputs: toRaw(inputs), output: toRaw(output) }
  return { contents: [content], feedback: [] }
}

const NO_EVENT = notKept(
  'the log record is not an event of the GenAI conventions (gen_ai.*) or of a coding agent, and others are not kept',
)
const NO_SPAN = notKept('the log record has no trace id and span id, so it cannot be added to a call')
const REPEATED = notKept(
  'the log record of OpenLIT repeats what a span has, with the ids of the span around it',
)
const NO_CONTENT = notKept('the log record has no prompt, response or evaluation')

const INPUT_EVENTS: ReadonlySet<string> = new Set([
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
])

interface Content {
  readonly inputs?: JsonObject | undefined
  readonly output?: JsonObject | undefined
}

function readContent(record: LogRecord): Content {
  const { eventName, attributes, body } = record
  if (INPUT_EVENTS.has(eventName))
    return { inputs: { messages: [eventMessage(eventName, attributes, body)] } }
  if (eventName === 'gen_ai.choice')
    return { output: { messages: [eventMessage(eventName, attributes, body)] } }
  let parsed: Json | undefined
  /** Among the attributes, or in the body. */
  const value = (key: string): Json | undefined => {
    const attribute = attributes.get(key)
    if (attribute !== undefined && !isAbsent(attribute)) return parsedValue(attribute)
    parsed ??= parsedValue(body)
    return memberAt(parsed, key)
  }
  const system = value('gen_ai.system_instructions')
  const input = messages(value('gen_ai.input.messages') ?? value('gen_ai.prompt'), 'user')
  const output = messages(value('gen_ai.output.messages') ?? value('gen_ai.completion'), 'assistant')
  const tools = value('gen_ai.tool.definitions')
  const hasInputs = system !== undefined || input !== undefined || tools !== undefined
  return {
    inputs: hasInputs ? { system, messages: input, tools } : undefined,
    output: output === undefined ? undefined : { messages: output },
  }
}

function messages(value: Json | undefined, role: string): readonly Json[] | undefined {
  if (value === undefined) return undefined
  const found = normalMessages(value, role)
  return found.length === 0 ? undefined : found
}

function toRaw(value: JsonObject | undefined): RawJson | undefined {
  return value === undefined ? undefined : RawJson.fromText(writeJson(value))
}
