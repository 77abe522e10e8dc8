import { z } from 'zod'

const texts = z.array(z.string()).nullish()

/**
 * The simple filter of calls. All given keys must match. An empty list matches every call, except for `thread_ids`,
 * where it matches none.
 */
export const callsFilter = z.object({
  op_names: texts.meta({ description: 'A name that ends in `:*` matches any version.' }),
  input_refs: texts.meta({ description: 'A ref that ends in `:*` matches any version.' }),
  output_refs: texts.meta({ description: 'A ref that ends in `:*` matches any version.' }),
  parent_ids: texts,
  trace_ids: texts,
  call_ids: texts,
  thread_ids: texts,
  turn_ids: texts,
  trace_roots_only: z.boolean().nullish(),
  traces_only: z.boolean().nullish().meta({
    description:
      'One call of each trace: its root, or as long as no root is stored, its earliest call without a stored parent.',
  }),
  wb_user_ids: texts,
  wb_run_ids: texts.meta({ description: '`entity/project/run`, or the run alone.' }),
})

export type CallsFilter = z.output<typeof callsFilter>
