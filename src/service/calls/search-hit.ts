import type { SearchField, SearchHit, SearchMatch } from '../../contract/calls/search.ts'
import { documentStart, searchPreview, unescapeJson } from '../../core/calls/search-preview.ts'
import type { FoundCall, FoundNote } from '../../store/calls/read/search.ts'

/** The API view of a found call: where the text matches, with previews. */
export function viewHit(call: FoundCall, notes: readonly FoundNote[], text: string): SearchHit {
  const fields: [SearchField, string | null][] = [
    ['name', call.found_name],
    ['display_name', call.found_display_name],
    ['exception', call.found_exception],
    ['inputs', call.found_inputs === null ? null : unescapeJson(call.found_inputs)],
    ['output', call.found_output === null ? null : unescapeJson(call.found_output)],
  ]
  return {
    id: call.id,
    trace_id: call.trace_id,
    parent_id: call.parent_id === '' ? null : call.parent_id,
    op_name: call.op_name,
    display_name: call.display_name === '' ? null : call.display_name,
    started_at: call.started_at,
    ended_at: call.ended_at,
    has_exception: call.has_exception === 1,
    wb_user_id: call.wb_user_id === '' ? null : call.wb_user_id,
    matches: [
      ...fields.flatMap(([field, shown]) => (shown === null ? [] : [viewMatch(field, null, shown, text)])),
      ...notes
        .filter((note) => note.call_id === call.id)
        .map((note) => viewMatch('note', note.id, note.note, text)),
    ],
  }
}

function viewMatch(field: SearchField, feedback_id: string | null, shown: string, text: string): SearchMatch {
  return { field, feedback_id, ...(searchPreview(shown, text) ?? documentStart(shown)) }
}
