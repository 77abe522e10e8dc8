import type { AgentSpan } from '../../contract/agents/span.ts'
import { viewSpan } from '../../core/agents/span-view.ts'
import { parseOptionalTime } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { countSpans, type SpanPeriod, type SpanSelection, streamSpans } from '../../store/agents/spans.ts'
import type { RequestOf } from '../../contract/operations.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { DEFAULT_LIMIT } from './agents.ts'

/** Handler for the list of spans. */

export function agentSpansHandlers({ db }: Deps): Pick<Handlers, 'agent_spans_query'> {
  return {
    agent_spans_query: async (request) => {
      const selection = spanSelection(request)
      const hasDetails = request.include_details === true
      const { sort_by, limit, offset } = request
      const content = hasDetails ? ('details' as const) : ('none' as const)
      const page = { sort_by, content, limit: limit ?? DEFAULT_LIMIT, offset: offset ?? undefined }
      const spans: AgentSpan[] = []
      for await (const row of streamSpans(db, selection, page)) spans.push(viewSpan(row, hasDetails))
      return { spans, groups: [], total_count: await countSpans(db, selection) }
    },
  }
}

type Selected = Pick<
  RequestOf<'agent_spans_query'>,
  'project_id' | 'query' | 'started_after' | 'started_before'
>

export function spanSelection({ project_id, query, ...period }: Selected): SpanSelection {
  return { project_id, query: parseQuery(query), ...spanPeriod(period) }
}

export function spanPeriod({
  started_after,
  started_before,
}: Pick<Selected, 'started_after' | 'started_before'>): SpanPeriod {
  return {
    from: parseOptionalTime(started_after, 'started_after'),
    before: parseOptionalTime(started_before, 'started_before'),
  }
}
