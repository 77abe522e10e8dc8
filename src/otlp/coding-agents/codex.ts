import type { MappedLog } from '../mapped.ts'
import { type AgentIds, type AgentRecord, AgentTrace, notKept } from './agent-record.ts'

/**
 * Log records of Codex: a trace for each conversation, because nothing in a record says which prompt it belongs to. The
 * prompts are turns of the thread.
 */
export function mapCodexLog(record: AgentRecord): MappedLog {
  const trace = new AgentTrace(['codex', record.text('conversation.id')], true)
  const own = (): AgentIds => trace.child(record.event, record.fingerprint)
  switch (record.event) {
    case 'conversation_starts':
      return record.call({ name: 'codex.conversation', ids: trace.root })
    case 'user_prompt':
      return record.call({ name: 'codex.prompt', ids: own() })
    case 'sse_event':
    case 'websocket_event':
      // Codex says that a response is completed twice, once with its tokens.
      if (record.value('input_token_count') !== undefined)
        return record.call({ name: 'codex.llm_request', ids: own() })
      return record.text('error.message') === ''
        ? notKept('of the events of a response to Codex, those with tokens or an error are kept')
        : record.call({ name: 'codex.llm_request', ids: own(), error: 'the request failed' })
    case 'api_request':
    case 'websocket_request':
      return record.text('error.message') === ''
        ? notKept('a request of Codex that succeeded has a log record with its tokens')
        : record.call({ name: 'codex.llm_request', ids: own(), error: 'the request failed' })
    case 'tool_result': {
      const call = record.text('call_id')
      const ids = call === '' ? own() : trace.child('tool', call)
      const isFailed = record.text('success') === 'false' || record.value('success') === false
      return record.call({ name: 'codex.tool', ids, error: isFailed ? 'the tool failed' : undefined })
    }
    default:
      return notKept(
        'of Codex, only the start of a conversation, prompts, responses of the model with their tokens, errors, and tool calls are kept',
      )
  }
}
