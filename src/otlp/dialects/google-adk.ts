import type { Attribute } from '../attribute.ts'
import { asText, isObject, type Json } from '../json.ts'
import { normalMessages } from '../messages.ts'
import { inputPayload } from '../payload-readers.ts'
import { countMember, exact, member, memberAt, nonEmpty, text, textMember } from '../readers.ts'
import { attribute, kindIs } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const REQUEST = 'gcp.vertex.agent.llm_request'
const RESPONSE = 'gcp.vertex.agent.llm_response'

/** The Agent Development Kit of Google. */
export const googleAdk: Dialect = {
  name: 'google-adk',
  title: 'Google ADK',
  rules: [
    kindIs('llm', REQUEST),
    { field: 'attributes.model_requested', from: [REQUEST], read: textMember('model') },
    { field: 'attributes.model', from: [RESPONSE], read: textMember('model_version') },
    { field: 'inputs.messages', from: [REQUEST], read: contents },
    { field: 'inputs.system', from: [REQUEST], read: member('config', 'system_instruction') },
    { field: 'inputs.tools', from: [REQUEST], read: member('config', 'tools') },
    { field: 'inputs.parameters', from: [REQUEST], read: parameters },
    { field: 'output.messages', from: [RESPONSE], read: responseContent },
    { field: 'inputs', from: ['gcp.vertex.agent.tool_call_args'], read: exact },
    { field: 'inputs', from: ['gcp.vertex.agent.data'], read: inputPayload },
    { field: 'output', from: ['gcp.vertex.agent.tool_response'], read: exact },
    { field: 'output', from: [RESPONSE], read: exact },
    {
      field: 'summary.usage.prompt_tokens',
      from: [RESPONSE],
      read: countMember('usage_metadata.prompt_token_count'),
    },
    {
      field: 'summary.usage.completion_tokens',
      from: [RESPONSE],
      read: countMember('usage_metadata.candidates_token_count'),
    },
    {
      field: 'summary.usage.total_tokens',
      from: [RESPONSE],
      read: countMember('usage_metadata.total_token_count'),
    },
    {
      field: 'summary.usage.cache_read_input_tokens',
      from: [RESPONSE],
      read: countMember('usage_metadata.cached_content_token_count'),
    },
    {
      field: 'summary.usage.reasoning_tokens',
      from: [RESPONSE],
      read: countMember('usage_metadata.thoughts_token_count'),
    },
    { field: 'exception', from: [RESPONSE], read: responseError },
    { field: 'thread_id', from: ['gcp.vertex.agent.session_id'], read: text },
    attribute('invocation_id', 'gcp.vertex.agent.invocation_id'),
    attribute('event_id', 'gcp.vertex.agent.event_id'),
  ],
}

function contents({ json: request }: Attribute): Json | undefined {
  const list = memberAt(request, 'contents')
  return list === undefined ? undefined : nonEmpty(normalMessages(list, 'user'))
}

const NO_PARAMETERS: ReadonlySet<string> = new Set(['system_instruction', 'tools', 'http_options', 'labels'])

function parameters({ json: request }: Attribute): Json | undefined {
  const config = memberAt(request, 'config')
  if (!isObject(config)) return undefined
  return nonEmpty(Object.fromEntries(Object.entries(config).filter(([name]) => !NO_PARAMETERS.has(name))))
}

function responseContent({ json: response }: Attribute): Json | undefined {
  const content = memberAt(response, 'content')
  if (!isObject(content)) return undefined
  return normalMessages([{ ...content, finish_reason: memberAt(response, 'finish_reason') }], 'assistant')
}

function responseError({ json: response }: Attribute): Json | undefined {
  const code = asText(memberAt(response, 'error_code'))
  const message = asText(memberAt(response, 'error_message'))
  return code === undefined || message === undefined ? undefined : `${code}: ${message}`
}
