import { z } from 'zod'

const texts = z.array(z.string()).nullish()

/**
 * The simple filter of calls: every key narrows, all that are given must hold. An empty list does not narrow,
 * except `thread_ids`, where it stands for no call at all.
 */
export const callsFilter = z.object({
  op_names: texts.meta({ description: 'a name that ends in `:*` means any version' }),
  input_refs: texts.meta({ description: 'a ref that ends in `:*` means any version' }),
  output_refs: texts.meta({ description: 'a ref that ends in `:*` means any version' }),
  parent_ids: texts,
  trace_ids: texts,
  call_ids: texts,
  thread_ids: texts,
  turn_ids: texts,
  trace_roots_only: z.boolean().nullish(),
  wb_user_ids: texts,
  wb_run_ids: texts.meta({ description: '`entity/project/run`, or the run alone' }),
})

export type CallsFilter = z.output<typeof callsFilter>
