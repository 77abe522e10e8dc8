import { KIND_NAMES } from '../kinds.ts'
import { inputPayload, outputPayload } from '../payload-readers.ts'
import { choice, groupObject, text, textList } from '../readers.ts'
import { attribute, textAttribute } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const ASSOCIATION = 'lmnr.association.properties.'

export const laminar: Dialect = {
  name: 'laminar',
  title: 'Laminar',
  ignores: [
    'lmnr.span.ids_path',
    'lmnr.span.instrumentation_source',
    'lmnr.span.sdk_version',
    'lmnr.span.language_version',
  ],
  rules: [
    { field: 'kind', from: ['lmnr.span.type'], read: choice(KIND_NAMES) },
    { field: 'inputs', from: ['lmnr.span.input'], read: inputPayload },
    { field: 'output', from: ['lmnr.span.output'], read: outputPayload },
    attribute('path', 'lmnr.span.path'),
    { field: 'thread_id', from: [`${ASSOCIATION}session_id`], read: text },
    textAttribute('user_id', `${ASSOCIATION}user_id`),
    { field: 'attributes.tags', from: [`${ASSOCIATION}tags`], read: textList },
    { field: 'metadata', under: ASSOCIATION, readGroup: (members) => groupObject(members) },
  ],
}
