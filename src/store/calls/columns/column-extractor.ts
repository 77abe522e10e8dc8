import { RawJson } from '../../../contract/raw-json.ts'
import { NamedFields } from '../../../core/calls/named-values.ts'
import { totalTokens, type UsageEntry, usageEntries } from '../../../core/costs/usage.ts'
import type { JsonField } from '../../../core/json/json-fields.ts'
import { find } from '../../../core/json/navigate.ts'
import type { ExtractedValues } from './call-columns.ts'
import type { CallPayloads } from './call-payloads.ts'
import { extractUsage } from './usage-extractor.ts'
import { FieldEncoder } from './field-encoder.ts'

/** Computes the columns of rows that come from their payloads. */
export class ColumnExtractor {
  readonly #named: NamedFields
  readonly #encoder: FieldEncoder

  constructor(named = new NamedFields()) {
    this.#named = named
    this.#encoder = new FieldEncoder(named.paths)
  }

  extract(payloads: CallPayloads): ExtractedValues {
    const usage = extractUsage(payloads)
    const fields = this.#encodeFields(payloads)
    const { attributes, summary, thread_id, op_name, exception } = payloads
    const named = this.#named.values({
      thread_id,
      op_name,
      exception,
      attributes: attributes.document,
      summary: summary?.document,
      attributeFields: fields.attributes,
      summaryFields: fields.summary,
    })
    const used = usage ?? usageInSummary(payloads)
    const hasUsage = used.length > 0
    return {
      json_fields: fields.column,
      usage: usage ?? [],
      usage_extracted: usage === undefined ? 0 : 1,
      field_model: hasUsage ? used.map(({ model }) => model) : NONE,
      field_provider: named.provider,
      field_input_tokens: hasUsage ? sum(used, ({ tokens }) => tokens.prompt) : null,
      field_output_tokens: hasUsage ? sum(used, ({ tokens }) => tokens.completion) : null,
      field_total_tokens: hasUsage ? sum(used, ({ tokens }) => totalTokens(tokens)) : null,
      field_time_to_first_token: named.time_to_first_token,
      field_tags: named.tags,
      field_end_user: named.end_user,
      field_session: named.session,
      field_environment: named.environment,
      field_error_type: named.error_type,
    }
  }

  /** The column `json_fields`, and the fields of attributes and summary that have a name of their own. */
  #encodeFields({ attributes, inputs, output, summary }: CallPayloads): {
    readonly column: Buffer
    readonly attributes: readonly JsonField[]
    readonly summary: readonly JsonField[]
  } {
    const encoder = this.#encoder
    encoder.begin()
    const attributeFields = encoder.add('attributes', attributes)
    encoder.add('inputs', inputs)
    if (output !== undefined) encoder.add('output', output)
    const summaryFields = summary === undefined ? NO_FIELDS : encoder.add('summary', summary)
    return { column: encoder.column(), attributes: attributeFields, summary: summaryFields }
  }
}

const NO_FIELDS: readonly JsonField[] = []
const NONE: readonly string[] = []

/** The columns of a tombstone. */
export const NOTHING_EXTRACTED: ExtractedValues = {
  json_fields: Buffer.from([0]),
  usage: [],
  usage_extracted: 1,
  field_model: NONE,
  field_provider: '',
  field_input_tokens: null,
  field_output_tokens: null,
  field_total_tokens: null,
  field_time_to_first_token: null,
  field_tags: NONE,
  field_end_user: '',
  field_session: '',
  field_environment: '',
  field_error_type: '',
}

/** Usage that does not fit the column `usage`. */
function usageInSummary({ summary }: CallPayloads): readonly UsageEntry[] {
  return summary === undefined ? [] : usageEntries(find(RawJson.fromBytes(summary.document), 'usage'))
}

const MAX_SUM = 2n ** 63n - 1n

function sum(used: readonly UsageEntry[], count: (entry: UsageEntry) => bigint): bigint {
  const total = used.reduce((all, entry) => all + count(entry), 0n)
  return total > MAX_SUM ? MAX_SUM : total < -MAX_SUM ? -MAX_SUM : total
}
