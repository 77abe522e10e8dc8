import { normalMessage } from '../messages.ts'
import type { Span } from '../model.ts'
import { exact, json, text } from '../readers.ts'
import { attribute, parameter, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const KINDS: ReadonlyMap<string, string> = new Map([
  ['codex.conversation', 'agent'],
  ['codex.prompt', 'other'],
  ['codex.llm_request', 'llm'],
  ['codex.tool', 'tool'],
])

const REDACTED = '[REDACTED]'

/** Calls made of the log records of Codex (coding-agents/codex.ts). */
export const codex: Dialect = {
  name: 'codex',
  title: 'Codex',
  applies: ({ name }: Span) => KINDS.has(name),
  rules: [
    { field: 'kind', spanName: 'codex.*', readSpan: ({ name }) => KINDS.get(name) },
    { field: 'is_turn', spanName: 'codex.prompt', readSpan: ({ name }) => name === 'codex.prompt' },
    { field: 'op_name', spanName: 'codex.*', readSpan: opName },
    { field: 'thread_id', from: ['conversation.id'], read: text },
    textAttribute('user_id', 'user.email', 'user.account_id'),
    textAttribute('provider', 'provider_name'),
    textAttribute('model', 'model'),
    attribute('tool.name', 'tool_name'),
    attribute('tool.call_id', 'call_id'),
    {
      field: 'inputs.messages',
      from: ['prompt'],
      read: (each) => (each.text === REDACTED ? undefined : [normalMessage(each.plain, 'user')]),
    },
    { field: 'inputs', from: ['arguments'], read: exact },
    parameter('reasoning_effort', 'reasoning_effort'),
    { field: 'output', from: ['output'], read: json },
    usage('prompt_tokens', 'input_token_count'),
    usage('completion_tokens', 'output_token_count'),
    usage('cache_read_input_tokens', 'cached_token_count'),
    usage('cache_creation_input_tokens', 'cache_write_token_count'),
    usage('reasoning_tokens', 'reasoning_token_count'),
    // It is the sum, whatever its name says.
    usage('total_tokens', 'tool_token_count'),
    { field: 'summary.ttft_ms', from: ['ttft_ms'], read: (each) => each.number },
    { field: 'exception', from: ['error.message'], read: text },
  ],
}

function opName({ name, attributes }: Span): string {
  const tool = attributes.get('tool_name')
  return name === 'codex.tool' && typeof tool === 'string' && tool !== '' ? tool : name
}
