import { z } from 'zod'
import { offset, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { spanSelection } from './spans.ts'

/** The custom attributes of spans: their names and types. */

const VALUE_TYPES = ['string', 'int', 'float', 'bool'] as const

/** The newest selected spans are read, and no others. */
export const MAX_ATTRIBUTE_SPANS = 10_000

/** Distinct attributes of these spans. */
export const MAX_ATTRIBUTES = 100_000

const attribute = z.object({
  source: z.enum(VALUE_TYPES.map((type) => `custom_attrs_${type}` as const)),
  key: z.string(),
  value_type: z.enum(VALUE_TYPES),
  span_count: z.int().meta({ description: `Among the newest ${MAX_ATTRIBUTE_SPANS} of the selected spans.` }),
})

export type SpanAttribute = z.output<typeof attribute>

export const DEFAULT_ATTRIBUTES = 200

export const agentAttributesOperations = {
  agent_custom_attrs_schema: operation({
    path: '/agents/spans/custom-attrs/schema',
    summary: 'List the custom attributes of spans with their types, the most frequent first.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      ...spanSelection,
      limit: z.int().min(1).max(2000).nullish().meta({ default: DEFAULT_ATTRIBUTES }),
      offset,
    }),
    response: z.object({
      attributes: z.array(attribute),
      limit: z.int(),
      offset: z.int(),
      has_more: z.boolean(),
    }),
  }),
}
