import { RawJson } from '../contract/raw-json.ts'
import { writeJson } from '../core/json/write.ts'
import { callId } from './call-id.ts'
import { logFeedback } from './feedback.ts'
import { eventMessage, parsedValue } from './genai-messages.ts'
import { isAbsent, type Json, type JsonObject } from './json.ts'
import type { MappedContent, MappedLog } from './mapped.ts'
import { normalMessages } from './messages.ts'
import type { LogRecord } from './model.ts'
import { memberAt } from './readers.ts'

/**
 * Maps a log record of a GenAI instrumentation, which has the prompts and responses of a span, or an evaluation of it.
 * Other records, and records without a span, are not stored.
 */
export function mapLog(record: LogRecord): MappedLog {
  const { traceId, spanId, eventName, attributes, timeNanos } = record
  if (traceId === '' || spanId === '' || !eventName.startsWith('gen_ai.')) return NOTHING
  const call_id = callId(traceId, spanId)
  if (eventName === 'gen_ai.evaluation.result')
    return { content: undefined, feedback: logFeedback(call_id, attributes, timeNanos) }
  const { inputs, output } = readContent(record)
  if (inputs === undefined && output === undefined) return NOTHING
  const content: MappedContent = { call_id, timeNanos, inputs: toRaw(inputs), output: toRaw(output) }
  return { content, feedback: [] }
}

const NOTHING: MappedLog = { content: undefined, feedback: [] }

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
  const value = (key: string): Json | undefined => memberOf(record, key)
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

/** Among the attributes, or in the body. */
function memberOf({ attributes, body }: LogRecord, key: string): Json | undefined {
  const value = attributes.get(key)
  if (value !== undefined && !isAbsent(value)) return parsedValue(value)
  return memberAt(parsedValue(body), key)
}

function messages(value: Json | undefined, role: string): readonly Json[] | undefined {
  if (value === undefined) return undefined
  const found = normalMessages(value, role)
  return found.length === 0 ? undefined : found
}

function toRaw(value: JsonObject | undefined): RawJson | undefined {
  return value === undefined ? undefined : RawJson.fromText(writeJson(value))
}
