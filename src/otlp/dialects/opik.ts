import { groupObject, textList } from '../readers.ts'
import { attribute } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

/** Attributes that attach spans to traces of Opik. */
export const opik: Dialect = {
  name: 'opik',
  title: 'Opik',
  rules: [
    { field: 'attributes.tags', from: ['opik.tags'], read: textList },
    { field: 'metadata', under: 'opik.metadata.', readGroup: (members) => groupObject(members) },
    attribute('opik.trace_id', 'opik.trace_id'),
    attribute('opik.span_id', 'opik.span_id'),
    attribute('opik.parent_span_id', 'opik.parent_span_id'),
  ],
}
