import { choice, flag, json, text } from '../readers.ts'
import { KIND_NAMES } from '../kinds.ts'
import type { Dialect } from '../rules.ts'

/** Attributes that Weave defines for spans sent to it. */
export const weave: Dialect = {
  name: 'weave',
  title: 'Weave',
  rules: [
    { field: 'kind', from: ['weave.span.kind'], read: choice(KIND_NAMES) },
    { field: 'display_name', from: ['wandb.display_name'], read: text },
    { field: 'thread_id', from: ['wandb.thread_id'], read: text },
    { field: 'is_turn', from: ['wandb.is_turn'], read: flag },
    { field: 'wb_run_id', from: ['wandb.wb_run_id'], read: text },
    { field: 'wb_run_id', in: 'resource', from: ['wandb.wb_run_id'], read: text },
    { field: 'attributes', from: ['wandb.attributes'], read: json },
  ],
}
