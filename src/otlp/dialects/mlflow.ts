import type { Attribute } from '../attribute.ts'
import { asText, isObject } from '../json.ts'
import { KIND_NAMES } from '../kinds.ts'
import type { Span } from '../model.ts'
import { inputPayload, outputPayload } from '../payload-readers.ts'
import { countMember, listOfJson } from '../readers.ts'
import { attribute } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const USAGE = 'mlflow.chat.tokenUsage'
const OUTPUTS = 'mlflow.spanOutputs'

/** MLflow writes all its values as JSON, texts in quotes. */
export const mlflow: Dialect = {
  name: 'mlflow',
  title: 'MLflow',
  ignores: ['mlflow.traceRequestId', 'mlflow.experimentId'],
  rules: [
    {
      field: 'kind',
      from: ['mlflow.spanType'],
      read: (each) => KIND_NAMES[quoted(each)?.toLowerCase() ?? ''],
    },
    { field: 'op_name', from: ['mlflow.spanFunctionName'], read: quoted },
    { field: 'inputs', from: ['mlflow.spanInputs'], read: inputPayload },
    { field: 'output', from: [OUTPUTS], read: outputPayload },
    { field: 'attributes.model', from: ['mlflow.llm.model'], read: quoted },
    { field: 'attributes.model', from: ['model'], read: ofMlflow(quoted) },
    { field: 'attributes.provider', from: ['mlflow.llm.provider'], read: quoted },
    { field: 'inputs.tools', from: ['mlflow.chat.tools'], read: listOfJson },
    {
      field: 'summary.usage.prompt_tokens',
      from: [USAGE],
      read: countMember('input_tokens', 'prompt_tokens'),
    },
    {
      field: 'summary.usage.completion_tokens',
      from: [USAGE],
      read: countMember('output_tokens', 'completion_tokens'),
    },
    { field: 'summary.usage.total_tokens', from: [USAGE], read: countMember('total_tokens') },
    // The response of the provider has what the former leaves out.
    {
      field: 'summary.usage.reasoning_tokens',
      from: [OUTPUTS],
      read: countMember(
        'usage.completion_tokens_details.reasoning_tokens',
        'usage.output_tokens_details.reasoning_tokens',
      ),
    },
    {
      field: 'summary.usage.prompt_tokens',
      from: [OUTPUTS],
      read: countMember('usage.prompt_tokens', 'usage.input_tokens'),
    },
    {
      field: 'summary.usage.completion_tokens',
      from: [OUTPUTS],
      read: countMember('usage.completion_tokens', 'usage.output_tokens'),
    },
    { field: 'summary.usage.total_tokens', from: [OUTPUTS], read: countMember('usage.total_tokens') },
    {
      field: 'summary.usage.cache_read_input_tokens',
      from: [USAGE],
      read: countMember('cache_read_input_tokens'),
    },
    {
      field: 'summary.usage.cache_creation_input_tokens',
      from: [USAGE],
      read: countMember('cache_creation_input_tokens'),
    },
    {
      field: 'summary.cost_reported.total',
      from: ['mlflow.llm.cost'],
      read: ({ json }) => (isObject(json) ? json['total_cost'] : undefined),
    },
    { field: 'thread_id', from: ['mlflow.trace.session'], read: quoted },
    { field: 'attributes.user_id', from: ['mlflow.trace.user'], read: quoted },
    attribute('source_run', 'mlflow.sourceRun'),
  ],
}

function quoted({ json }: Attribute): string | undefined {
  return asText(json)
}

/** Keys without a prefix mean other things elsewhere. */
function ofMlflow(read: (attribute: Attribute) => string | undefined) {
  return (attribute: Attribute, { attributes }: Span): string | undefined =>
    attributes.has('mlflow.spanType') || attributes.has('mlflow.traceRequestId') ? read(attribute) : undefined
}
