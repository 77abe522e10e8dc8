import type { Attribute } from './attribute.ts'
import type { Json } from './json.ts'
import type { Span, SpanEvent } from './model.ts'

/** Dialects are tables of rules. A rule says which attributes or events a field of a call is read from. */

/** `attributes.…` and `inputs.parameters.…` name a place; the other fields are put together by map-span.ts. */
export type Field =
  | 'kind'
  | 'op_name'
  | 'display_name'
  | 'thread_id'
  | 'is_turn'
  | 'wb_run_id'
  | 'started_at'
  | 'ended_at'
  | 'exception'
  | 'inputs'
  | 'inputs.system'
  | 'inputs.messages'
  | 'inputs.prompt'
  | 'inputs.query'
  | 'inputs.texts'
  | 'inputs.documents'
  | 'inputs.tools'
  | 'inputs.tool_choice'
  | 'inputs.parameters'
  | `inputs.parameters.${string}`
  | 'output'
  | 'output.messages'
  | 'output.documents'
  | 'output.choices'
  | 'output.result'
  | 'output.embeddings'
  | `summary.usage.${UsageField}`
  | `summary.cost_reported.${'total' | 'prompt' | 'completion'}`
  | 'summary.ttft_ms'
  | 'counts_usage'
  | 'excludes_cache'
  | 'metadata'
  | `feedback.${'annotation' | 'evaluation'}${'' | '.trace' | '.session'}`
  | 'attributes'
  | `attributes.${string}`

/** Parts of the counts, for readers; costs are computed without them. */
export const USAGE_DETAILS = [
  'cache_creation_5m_input_tokens',
  'cache_creation_1h_input_tokens',
  'text_input_tokens',
  'image_input_tokens',
  'audio_input_tokens',
  'video_input_tokens',
  'text_output_tokens',
  'audio_output_tokens',
] as const

export const USAGE_FIELDS = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  ...USAGE_DETAILS,
] as const

export type UsageField = (typeof USAGE_FIELDS)[number]

/** Reads attributes. The first one that is present and readable wins. */
export interface AttributeRule {
  readonly field: Field
  /** Keys in order of priority. */
  readonly from: readonly string[]
  /** Attributes of the resource instead of the span. */
  readonly in?: 'resource'
  /** Default: text, number or list as sent. Undefined: the value is of no use for the field. */
  readonly read?: (attribute: Attribute, span: Span) => Json | undefined
  /** For prompt tokens: cached tokens are not among them, as in the raw usage of Anthropic, unless the total says so. */
  readonly excludesCache?: true
}

/** Reads all attributes whose keys begin with `under`, such as `gen_ai.prompt.`. */
interface GroupRule {
  readonly field: Field
  readonly under: string
  /** The keys of the members are without the prefix. */
  readonly readGroup: (members: readonly Attribute[], span: Span) => Json | undefined
}

/** Reads all events with these names, in the order of the span. */
interface EventRule {
  readonly field: Field
  readonly events: readonly string[]
  readonly readEvents: (events: readonly SpanEvent[], span: Span) => Json | undefined
}

/** Reads the span itself. Only for dialects that apply to certain spans. */
interface SpanRule {
  readonly field: Field
  /** For the documentation. */
  readonly spanName: string
  readonly readSpan: (span: Span) => Json | undefined
}

export type Rule = AttributeRule | GroupRule | EventRule | SpanRule

export interface Dialect {
  /** The name of its file. */
  readonly name: string
  readonly title: string
  /** For dialects whose keys mean something else elsewhere. Default: the rules apply to every span. */
  readonly applies?: (span: Span) => boolean
  /** Keys without a meaning for calls, which are not repeated in their attributes. */
  readonly ignores?: readonly string[]
  readonly rules: readonly Rule[]
}
