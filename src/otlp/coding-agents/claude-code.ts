import { isAbsent } from '../json.ts'
import type { MappedLog } from '../mapped.ts'
import { parsedValue } from '../genai-messages.ts'
import {
  type AgentIds,
  type AgentRecord,
  AgentTrace,
  assistantMessage,
  callIdOf,
  notKept,
} from './agent-record.ts'

/**
 * Log records of Claude Code: a trace for each prompt, in the thread of the session. With traces switched on, which are beta,
 * they are logged within its spans, and repeat them except for the responses.
 */
export function mapClaudeCodeLog(record: AgentRecord): MappedLog {
  if (!record.isAlone) return withinSpan(record)
  const session = record.text('session.id')
  const prompt = record.text('prompt.id')
  const trace = new AgentTrace(['claude_code', session, prompt], prompt !== '')
  const request = record.text('request_id')
  const modelCall = (): AgentIds => trace.child('request', request || record.fingerprint)
  const tool = (): AgentIds => trace.child('tool', record.text('tool_use_id') || record.fingerprint)
  switch (record.event) {
    case 'user_prompt': {
      const ids = prompt === '' ? trace.child('prompt', record.fingerprint) : trace.root
      return record.call({ name: 'claude_code.interaction', ids })
    }
    case 'api_request':
      return record.call({ name: 'claude_code.llm_request', ids: modelCall() })
    case 'api_error':
      return record.call({ name: 'claude_code.llm_request', ids: modelCall(), error: 'the request failed' })
    case 'api_refusal':
      // The same request has an `api_request`.
      return notKept('a refusal of Claude Code is in the response to its request')
    case 'tool_result':
      return record.call({ name: 'claude_code.tool', ids: tool(), error: toolError(record) })
    case 'tool_decision': {
      if (record.text('decision') !== 'reject') return notKept('an accepted tool call has its own log record')
      const error = `rejected by ${record.text('source') || 'the user'}`
      return record.call({ name: 'claude_code.tool', ids: tool(), error })
    }
    case 'assistant_response': {
      const calls = request === '' ? [] : [callIdOf(modelCall())]
      return response(record, isMain(record) && prompt !== '' ? [...calls, callIdOf(trace.root)] : calls)
    }
    case 'api_response_body': {
      const body = record.value('body')
      if (request === '' || isAbsent(body))
        return notKept('a body without its request cannot be added to a call')
      return record.output([callIdOf(modelCall())], { response: parsedValue(body ?? '') })
    }
    default:
      return notKept(OTHER)
  }
}

const OTHER =
  'of Claude Code, only prompts, responses, requests to the model, their errors, and tool calls are kept'

function withinSpan(record: AgentRecord): MappedLog {
  return record.event === 'assistant_response' && isMain(record)
    ? response(record, [record.spanCall])
    : notKept('the spans of Claude Code say the same as its log records')
}

function response(record: AgentRecord, call_ids: readonly string[]): MappedLog {
  const text = record.text('response')
  if (text === '' || text === REDACTED)
    return notKept('the response is redacted; set OTEL_LOG_ASSISTANT_RESPONSES=1 to send it')
  if (call_ids.length === 0) return notKept('a response without its request cannot be added to a call')
  return record.output(call_ids, { messages: [assistantMessage(text)] })
}

const REDACTED = '<REDACTED>'

/** Whether the user gets the response; others are those of subagents, or make titles and summaries. */
function isMain(record: AgentRecord): boolean {
  const source = record.text('query_source')
  return source === '' || source === 'sdk' || source.startsWith('repl_main_thread')
}

function toolError(record: AgentRecord): string | undefined {
  const success = record.value('success')
  if (success !== false && success !== 'false') return undefined
  return record.text('error', 'error_type') || 'the tool failed'
}
