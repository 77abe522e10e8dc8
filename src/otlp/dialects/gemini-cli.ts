import type { Attribute } from '../attribute.ts'
import { isList, isObject, type Json } from '../json.ts'
import { normalMessage } from '../messages.ts'
import type { Span } from '../model.ts'
import { exact, memberAt, text, textList } from '../readers.ts'
import { attribute, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

/** The scope of its spans and log records. */
export const GEMINI_CLI = 'gemini-cli'

const KINDS: ReadonlyMap<string, string> = new Map([
  ['gemini_cli.prompt', 'agent'],
  ['gemini_cli.llm_request', 'llm'],
  ['gemini_cli.tool', 'tool'],
])

/** Calls made of the log records of Gemini CLI (coding-agents/gemini-cli.ts), and its spans, whose requests are in the log. */
export const geminiCli: Dialect = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  applies: ({ scope }: Span) => scope.name === GEMINI_CLI,
  rules: [
    { field: 'kind', spanName: 'gemini_cli.*', readSpan: ({ name }) => KINDS.get(name) },
    { field: 'counts_usage', spanName: 'gemini_cli.*', readSpan: ({ name }) => KINDS.has(name) },
    { field: 'op_name', spanName: 'gemini_cli.*', readSpan: opName },
    {
      field: 'attributes.provider',
      spanName: 'gemini_cli.*',
      readSpan: ({ name }) => (KINDS.has(name) ? 'gcp.gemini' : undefined),
    },
    textAttribute('user_id', 'user.email'),
    textAttribute('model', 'model'),
    attribute('tool.name', 'function_name'),
    { field: 'attributes.finish_reasons', from: ['finish_reasons'], read: textList },
    { field: 'inputs.messages', from: ['prompt'], read: (each) => [normalMessage(each.plain, 'user')] },
    { field: 'inputs', from: ['function_args'], read: exact },
    { field: 'output.messages', from: ['response_text'], read: responseMessages },
    usage('prompt_tokens', 'input_token_count'),
    usage('completion_tokens', 'output_token_count'),
    usage('cache_read_input_tokens', 'cached_content_token_count'),
    usage('reasoning_tokens', 'thoughts_token_count'),
    usage('total_tokens', 'total_token_count'),
    { field: 'exception', from: ['error', 'error.message'], read: text },
  ],
}

function opName({ name, attributes }: Span): string | undefined {
  const tool = attributes.get('function_name')
  if (name === 'gemini_cli.tool' && typeof tool === 'string' && tool !== '') return tool
  return KINDS.has(name) ? name : undefined
}

/** The chunks of a streamed response, as one message. */
function responseMessages({ json }: Attribute): Json | undefined {
  const chunks = isList(json) ? json : [json]
  const parts: Json[] = []
  let written = ''
  for (const chunk of chunks) {
    const candidates = memberAt(chunk, 'candidates')
    const found = memberAt(isList(candidates) ? candidates[0] : undefined, 'content', 'parts')
    for (const part of isList(found) ? found : []) {
      const text = isObject(part) && part['thought'] !== true ? part['text'] : undefined
      if (typeof text === 'string') written += text
      else parts.push(part)
    }
  }
  if (written !== '') parts.push({ text: written })
  return parts.length === 0 ? undefined : [normalMessage({ role: 'model', parts }, 'assistant')]
}
