import type { Attribute } from '../attribute.ts'
import type { Json } from '../json.ts'
import { KIND_NAMES } from '../kinds.ts'
import { choice, countMember, groupObject, nonEmpty, text, textMember } from '../readers.ts'
import { textAttribute } from '../rule-builders.ts'
import type { AttributeRule, Dialect, UsageField } from '../rules.ts'

const METADATA = 'langsmith.metadata.'

function usage(name: UsageField, member: string): AttributeRule {
  return { field: `summary.usage.${name}`, from: [`${METADATA}usage_metadata`], read: countMember(member) }
}

/** The exporter of LangSmith; inputs, outputs and the model are attributes of the GenAI conventions. */
export const langsmith: Dialect = {
  name: 'langsmith',
  title: 'LangSmith',
  rules: [
    { field: 'kind', from: ['langsmith.span.kind'], read: choice(KIND_NAMES) },
    {
      field: 'thread_id',
      from: ['session_id', 'thread_id', 'conversation_id'].map((name) => METADATA + name),
      read: text,
    },
    // The model that LangChain read from the response of the provider.
    { field: 'attributes.model', from: ['gen_ai.completion'], read: textMember('llm_output', 'model_name') },
    textAttribute('user_id', `${METADATA}user_id`),
    { field: 'attributes.tags', from: ['langsmith.span.tags'], read: tags },
    usage('prompt_tokens', 'input_tokens'),
    usage('completion_tokens', 'output_tokens'),
    usage('total_tokens', 'total_tokens'),
    usage('cache_read_input_tokens', 'input_token_details.cache_read'),
    usage('cache_creation_input_tokens', 'input_token_details.cache_creation'),
    usage('reasoning_tokens', 'output_token_details.reasoning'),
    usage('audio_input_tokens', 'input_token_details.audio'),
    usage('audio_output_tokens', 'output_token_details.audio'),
    { field: 'metadata', under: METADATA, readGroup: (members) => groupObject(members) },
  ],
}

/** One text with commas. */
function tags({ text: list }: Attribute): Json | undefined {
  return nonEmpty(list?.split(',').flatMap((tag) => tag.trim() || []))
}
