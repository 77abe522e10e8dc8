import type { Attribute } from '../attribute.ts'
import { normalMessages } from '../messages.ts'
import type { Json } from '../json.ts'
import type { Span } from '../model.ts'
import { contentEvents } from '../genai-messages.ts'
import { exact, number, text, textList } from '../readers.ts'
import { attribute, parameter, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const PREFIX = 'claude_code.'
const REDACTED = '<REDACTED>'

const KINDS: ReadonlyMap<string, string> = new Map([
  ['interaction', 'agent'],
  ['llm_request', 'llm'],
  ['tool', 'tool'],
  ['hook', 'other'],
])

/** Claude Code. Its keys are short, so they are read in its own spans only, and in those made of its log records. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  title: 'Claude Code',
  applies: ({ name }: Span) => name.startsWith(PREFIX),
  ignores: ['span.type', 'interaction.duration_ms', 'duration_ms'],
  rules: [
    {
      field: 'kind',
      spanName: 'claude_code.*',
      readSpan: ({ name }) => KINDS.get(name.slice(PREFIX.length)) ?? 'other',
    },
    { field: 'op_name', spanName: 'claude_code.*', readSpan: opName },
    { field: 'attributes.provider', spanName: 'claude_code.*', readSpan: () => 'anthropic' },
    attribute('tool.name', 'tool_name'),
    attribute('tool.call_id', 'tool_use_id'),
    textAttribute('model', 'model'),
    textAttribute('response_id', 'request_id'),
    textAttribute('user_id', 'user.email', 'user.account_uuid'),
    { field: 'attributes.finish_reasons', from: ['stop_reason'], read: textList },
    { field: 'inputs.messages', from: ['user_prompt', 'new_context', 'prompt'], read: messages('user') },
    { field: 'inputs.system', from: ['system_prompt', 'system_prompt_preview'], read: text },
    { field: 'output.messages', from: ['response.model_output'], read: messages('assistant') },
    { field: 'inputs', from: ['tool_input', 'tool_parameters'], read: exact },
    { field: 'inputs', from: ['full_command', 'file_path'], read: ({ key, plain }) => ({ [key]: plain }) },
    { field: 'output', events: ['tool.output'], readEvents: contentEvents('output', 'content') },
    { field: 'output', from: ['tool_output'], read: exact },
    { ...usage('prompt_tokens', 'input_tokens'), excludesCache: true },
    usage('completion_tokens', 'output_tokens'),
    usage('cache_read_input_tokens', 'cache_read_tokens'),
    usage('cache_creation_input_tokens', 'cache_creation_tokens'),
    { field: 'summary.cost_reported.total', from: ['cost_usd'], read: number },
    { field: 'summary.ttft_ms', from: ['ttft_ms'], read: (each) => each.number },
    usage('cache_creation_5m_input_tokens', 'cache_creation_5m_tokens'),
    usage('cache_creation_1h_input_tokens', 'cache_creation_1h_tokens'),
    { field: 'exception', from: ['error', 'error_message'], read: text },
    parameter('effort', 'effort'),
    parameter('speed', 'speed'),
    attribute('agent.id', 'agent_id'),
    attribute('agent.parent_id', 'parent_agent_id'),
  ],
}

/** Only the tool has a better name than the span. */
function opName({ name, attributes }: Span): string {
  const tool = attributes.get('tool_name')
  return name === 'claude_code.tool' && typeof tool === 'string' && tool !== '' ? tool : name
}

function messages(role: string) {
  return ({ json, text: given }: Attribute): Json | undefined => {
    if (given === REDACTED) return undefined
    const found = normalMessages(typeof json === 'string' ? (given ?? json) : json, role)
    return found.length === 0 ? undefined : found
  }
}
