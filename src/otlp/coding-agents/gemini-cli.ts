import { GEMINI_CLI } from '../dialects/gemini-cli.ts'
import type { MappedLog } from '../mapped.ts'
import type { Span } from '../model.ts'
import { type AgentIds, type AgentRecord, AgentTrace, notKept } from './agent-record.ts'

/** Log records of Gemini CLI: a trace for each prompt, in the thread of the session. */
export function mapGeminiCliLog(record: AgentRecord): MappedLog {
  const prompt = record.text('prompt_id')
  const trace = new AgentTrace(['gemini_cli', record.text('session.id'), prompt], prompt !== '')
  const own = (): AgentIds => trace.child(record.event, record.fingerprint)
  switch (record.event) {
    case 'user_prompt':
      return record.call({ name: 'gemini_cli.prompt', ids: prompt === '' ? own() : trace.root })
    case 'api_response':
      return record.call({ name: 'gemini_cli.llm_request', ids: own() })
    case 'api_error':
      return record.call({ name: 'gemini_cli.llm_request', ids: own(), error: 'the request failed' })
    case 'tool_call': {
      const isFailed = record.value('success') === false
      return record.call({
        name: 'gemini_cli.tool',
        ids: own(),
        error: isFailed ? 'the tool failed' : undefined,
      })
    }
    default:
      return notKept(
        'of Gemini CLI, only prompts, responses of the model, their errors, and tool calls are kept',
      )
  }
}

const PAYLOADS = ['gen_ai.input.messages', 'gen_ai.output.messages']

/**
 * Whether a span of Gemini CLI says nothing that its log records do not. Without its setting for traces it sends such spans
 * all the same, each request and each group of tool calls in a trace of its own, and without tokens.
 */
export function repeatsLogs({ scope, attributes }: Span): boolean {
  return scope.name === GEMINI_CLI && !PAYLOADS.some((key) => attributes.has(key))
}
