import type { Attribute } from '../attribute.ts'
import { isObject, type Json, asText } from '../json.ts'
import { KIND_NAMES } from '../kinds.ts'
import type { Span } from '../model.ts'
import { inputPayload, outputPayload } from '../payload-readers.ts'
import { choice, countMember, groupObject, json, member, memberAt, text, textList } from '../readers.ts'
import { attribute, textAttribute } from '../rule-builders.ts'
import type { Dialect, UsageField } from '../rules.ts'
import { parseStorableTime } from '../../core/time/time.ts'

const USAGE = 'langfuse.observation.usage_details'
const COST = 'langfuse.observation.cost_details'

function usage(name: UsageField, ...members: readonly string[]) {
  return { field: `summary.usage.${name}` as const, from: [USAGE], read: countMember(...members) }
}

/** The SDKs of Langfuse, version 3 and newer. */
export const langfuse: Dialect = {
  name: 'langfuse',
  title: 'Langfuse SDK',
  rules: [
    { field: 'kind', from: ['langfuse.observation.type'], read: choice(KIND_NAMES) },
    { field: 'display_name', from: ['langfuse.trace.name'], read: ofRoot(text) },
    { field: 'inputs', from: ['langfuse.observation.input'], read: inputPayload },
    { field: 'inputs', from: ['langfuse.trace.input'], read: ofRoot(inputPayload) },
    { field: 'output', from: ['langfuse.observation.output'], read: outputPayload },
    { field: 'output', from: ['langfuse.trace.output'], read: ofRoot(outputPayload) },
    textAttribute('model', 'langfuse.observation.model.name'),
    {
      field: 'inputs.parameters',
      from: ['langfuse.observation.model.parameters'],
      read: (each) => (isObject(each.json) ? each.json : undefined),
    },

    // The names and the details of OpenAI include cached tokens; those of Langfuse count each token once.
    usage('prompt_tokens', 'prompt_tokens', 'promptTokens'),
    { field: 'summary.usage.prompt_tokens', from: [USAGE], read: countOfResponses },
    { ...usage('prompt_tokens', 'input', 'input_tokens', 'inputTokens'), excludesCache: true },
    usage(
      'completion_tokens',
      'completion_tokens',
      'completionTokens',
      'output',
      'output_tokens',
      'outputTokens',
    ),
    usage('total_tokens', 'total', 'total_tokens', 'totalTokens'),
    usage(
      'cache_read_input_tokens',
      'cache_read_input_tokens',
      'input_cached_tokens',
      'input_cache_read',
      'prompt_tokens_details.cached_tokens',
      'input_tokens_details.cached_tokens',
    ),
    usage('cache_creation_input_tokens', 'cache_creation_input_tokens', 'input_cache_creation'),
    usage(
      'reasoning_tokens',
      'output_reasoning_tokens',
      'output_reasoning',
      'reasoning_tokens',
      'completion_tokens_details.reasoning_tokens',
      'output_tokens_details.reasoning_tokens',
    ),
    usage('audio_input_tokens', 'input_audio', 'input_audio_tokens'),
    usage('audio_output_tokens', 'output_audio', 'output_audio_tokens'),
    { field: 'summary.cost_reported.total', from: [COST], read: member('total') },
    { field: 'summary.cost_reported.prompt', from: [COST], read: member('input') },
    { field: 'summary.cost_reported.completion', from: [COST], read: member('output') },
    { field: 'summary.ttft_ms', from: ['langfuse.observation.completion_start_time'], read: afterStart },
    { field: 'started_at', from: ['langfuse.startTime'], read: time },
    { field: 'ended_at', from: ['langfuse.endTime'], read: time },
    { field: 'exception', from: ['langfuse.observation.status_message'], read: errorMessage },
    textAttribute('level', 'langfuse.observation.level'),
    textAttribute('status_message', 'langfuse.observation.status_message'),

    { field: 'thread_id', from: ['langfuse.session.id'], read: text },
    textAttribute('user_id', 'langfuse.user.id'),
    { field: 'attributes.tags', from: ['langfuse.trace.tags'], read: textList },
    { field: 'metadata', from: ['langfuse.observation.metadata', 'langfuse.trace.metadata'], read: json },
    {
      field: 'metadata',
      under: 'langfuse.observation.metadata.',
      readGroup: (members) => groupObject(members),
    },
    { field: 'metadata', under: 'langfuse.trace.metadata.', readGroup: (members) => groupObject(members) },
    attribute('prompt.name', 'langfuse.observation.prompt.name', 'langfuse.prompt.name'),
    attribute('prompt.version', 'langfuse.observation.prompt.version', 'langfuse.prompt.version'),
    textAttribute('environment', 'langfuse.environment'),
    { field: 'attributes.environment', in: 'resource', from: ['langfuse.environment'], read: text },
    attribute('release', 'langfuse.release'),
    attribute('version', 'langfuse.version'),
    {
      field: 'attributes.experiment',
      under: 'langfuse.experiment.',
      readGroup: (members) => groupObject(members),
    },
  ],
}

function countOfResponses(attribute: Attribute): Json | undefined {
  return memberAt(attribute.json, 'input_tokens_details') === undefined
    ? undefined
    : countMember('input_tokens')(attribute)
}

/** Attributes of the trace are on every span, but mean the root. */
function ofRoot(read: (attribute: Attribute) => Json | undefined) {
  return (attribute: Attribute, span: Span): Json | undefined =>
    span.parentSpanId === '' ? read(attribute) : undefined
}

/** A time as JSON: a string in quotes. */
function time({ json: value }: Attribute): bigint | undefined {
  const given = asText(value)
  return given === undefined ? undefined : parseStorableTime(given)
}

function afterStart(attribute: Attribute, { startNanos }: Span): Json | undefined {
  const first = time(attribute)
  if (first === undefined) return undefined
  const micros = first - startNanos / 1000n
  return micros >= 0n ? Number(micros) / 1000 : undefined
}

function errorMessage({ text: message }: Attribute, { attributes }: Span): string | undefined {
  return attributes.get('langfuse.observation.level') === 'ERROR' ? message : undefined
}
