import { isObject, type Json } from '../json.ts'
import { normalMessages } from '../messages.ts'
import { exact, nonEmpty, text } from '../readers.ts'
import { attribute, kindIs } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

/** LiveKit Agents: voice. */
export const livekit: Dialect = {
  name: 'livekit',
  title: 'LiveKit',
  rules: [
    kindIs('tool', 'lk.function_tool.name'),
    kindIs('llm', 'lk.chat_ctx'),
    { field: 'inputs.messages', from: ['lk.chat_ctx'], read: ({ json }) => chatItems(json) },
    {
      field: 'output.messages',
      from: ['lk.response.text'],
      read: (each) => normalMessages(each.plain, 'assistant'),
    },
    { field: 'inputs', from: ['lk.function_tool.arguments'], read: exact },
    {
      field: 'inputs',
      from: ['lk.input_text', 'lk.user_transcript', 'lk.user_input'],
      read: (each) => ({ text: each.plain }),
    },
    { field: 'output', from: ['lk.function_tool.output'], read: exact },
    attribute('tool.name', 'lk.function_tool.name'),
    attribute('tool.call_id', 'lk.function_tool.id'),
    { field: 'thread_id', from: ['lk.session_id', 'lk.room_id'], read: text },
  ],
}

function chatItems(context: Json): Json | undefined {
  const items = isObject(context) ? context['items'] : context
  return items === undefined ? undefined : nonEmpty(normalMessages(items, 'user'))
}
