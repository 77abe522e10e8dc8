import { exceptionText } from '../exception.ts'
import { exact, text } from '../readers.ts'
import type { Dialect } from '../rules.ts'

/** What any span may have, and names that are the same in many products without being a convention. */
export const generic: Dialect = {
  name: 'generic',
  title: 'Other spans',
  rules: [
    { field: 'exception', events: ['exception'], readEvents: exceptionText },
    { field: 'attributes.error.type', from: ['error.type', 'exception.type'], read: text },
    { field: 'thread_id', from: ['thread_id', 'session_id', 'conversation_id'], read: text },
    { field: 'attributes.user_id', from: ['user_id'], read: text },
    { field: 'inputs', from: ['input', 'inputs'], read: exact },
    { field: 'output', from: ['output', 'outputs'], read: exact },
    {
      field: 'attributes.tags',
      from: ['tags'],
      read: (attribute) => (Array.isArray(attribute.value) ? attribute.plain : undefined),
    },
  ],
}
