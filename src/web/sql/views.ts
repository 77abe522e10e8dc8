/** The SQL views of a project; see docs/sql.md. */
export interface SqlView {
  readonly name: string
  readonly about: string
  readonly columns: readonly string[]
}

function columns(text: string): readonly string[] {
  return text.split(' ')
}

export const VIEWS: readonly SqlView[] = [
  {
    name: 'calls',
    about: 'one row per call',
    columns: columns(
      'id trace_id parent_id thread_id turn_id op_name name display_name started_at ended_at latency_ms status exception inputs output attributes summary otel_dump input_refs output_refs wb_user_id wb_run_id wb_run_step wb_run_step_end op error error_type model provider input_tokens output_tokens total_tokens latency time_to_first_token tags user sent_by end_user session environment started ended thread trace parent',
    ),
  },
  {
    name: 'usage',
    about: 'one row per call and model',
    columns: columns(
      'call_id trace_id parent_id op_name started_at model requests prompt_tokens completion_tokens total_tokens cache_read_tokens cache_creation_tokens uncached_prompt_tokens',
    ),
  },
  {
    name: 'feedback',
    about: 'one row per note, reaction or score',
    columns: columns(
      'id weave_ref call_id feedback_type payload creator wb_user_id created_at annotation_ref runnable_ref call_ref trigger_ref scorer_tags scorer_ratings',
    ),
  },
  {
    name: 'objects',
    about: 'one row per object version',
    columns: columns(
      'object_id digest version_index is_latest kind base_object_class leaf_object_class created_at wb_user_id size_bytes val',
    ),
  },
  {
    name: 'table_rows',
    about: 'one row per table row',
    columns: columns('table_digest row_index digest val'),
  },
]
