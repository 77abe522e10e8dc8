import { ApiError } from '../../contract/api-error.ts'
import {
  DEFAULT_MESSAGES,
  type MatchedConversation,
  type MatchedMessage,
  MESSAGE_PREVIEW_CHARACTERS,
  type MessageSearch,
  NO_CONVERSATION,
} from '../../contract/agents/message-search.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { contentDigest, readSpanMessages, startOfText } from '../../core/agents/span-messages.ts'
import { spanId } from '../../core/agents/span-view.ts'
import { searchPreview } from '../../core/calls/search-preview.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { parseTime } from '../../core/time/time.ts'
import { listTraceAgents, type MessageSpans, streamMessageSpans } from '../../store/agents/message-spans.ts'
import { isIndexed } from '../../store/calls/read/search-index.ts'
import type { SearchRange } from '../../store/calls/read/search.ts'
import { searchSlices } from '../../store/calls/read/search-slices.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { spanPeriod } from './spans.ts'

/** Handler for search in the messages of spans. */

/** Spans that one statement returns, with their documents. */
const SPANS = 100

/** There is no cursor with which a client could continue, so a search may take longer than one of calls. */
const MAX_SEARCH_MS = 30_000

interface FoundMessage extends MatchedMessage {
  readonly conversation_id: string
  readonly conversation_name: string
  readonly agent_name: string
}

export function agentSearchHandlers(deps: Deps): Pick<Handlers, 'agent_search'> {
  return {
    agent_search: async (request) => {
      const offset = request.offset ?? 0
      const limit = request.limit ?? DEFAULT_MESSAGES
      const found = limit === 0 ? [] : await findMessages(deps, request, offset + limit)
      const results = byConversation(found.slice(offset, offset + limit))
      return { results, total_conversations: results.length }
    },
  }
}

/** The latest messages, latest first; at least `wanted` if there are as many. */
async function findMessages(
  { db, pageBoundaries, searchIndex }: Pick<Deps, 'db' | 'pageBoundaries' | 'searchIndex'>,
  request: MessageSearch,
  wanted: number,
): Promise<FoundMessage[]> {
  const { project_id } = request
  const spans = messageSpans(request, searchIndex)
  const { from, before } = spanPeriod(request)
  const range = { from, after: before === undefined ? undefined : { at: before, id: '' } }
  const start = performance.now()
  const options = {
    pageBoundaries,
    project_id,
    isIndexed: isIndexed(searchIndex, spans.text),
    timeoutMs: MAX_SEARCH_MS,
  }
  const found: FoundMessage[] = []
  for await (const slice of searchSlices(options, range)) {
    for (let page: SearchRange | undefined = slice; page !== undefined;) {
      const read = await readMessages(page)
      found.push(...read.messages)
      if (found.length >= wanted) return found
      if (performance.now() - start > MAX_SEARCH_MS) throw searchTimeout()
      page = read.next
    }
    if (slice.isLast) return found
  }
  throw searchTimeout()

  async function readMessages(
    page: SearchRange,
  ): Promise<{ messages: FoundMessage[]; next: SearchRange | undefined }> {
    const messages: FoundMessage[] = []
    const slice = new TimeSlice()
    let rows = 0
    let after = page.after
    for await (const row of streamMessageSpans(db, spans, page, SPANS)) {
      rows++
      after = { at: parseTime(row.started_at) ?? 0n, id: row.id }
      const { agent_name, conversation_name, messages: all } = readSpanMessages(row)
      for (const { role, content } of all) {
        if (slice.isOver) await slice.next()
        if (!isMatch(request, role, content)) continue
        messages.push({
          conversation_id:
            row.thread_id === undefined || row.thread_id === '' ? NO_CONVERSATION : row.thread_id,
          conversation_name,
          agent_name,
          span_id: spanId(row.id),
          trace_id: row.trace_id,
          role,
          content_preview:
            request.truncate_content === false ? content : startOfText(content, MESSAGE_PREVIEW_CHARACTERS),
          content_digest: contentDigest(content),
          started_at: row.started_at,
        })
      }
    }
    return {
      messages: await withAgents(messages),
      next: rows < SPANS ? undefined : { from: page.from, after },
    }
  }

  /** A span that names no agent has the first agent of its trace. */
  async function withAgents(messages: readonly FoundMessage[]): Promise<FoundMessage[]> {
    const unnamed = new Set(
      messages.filter(({ agent_name }) => agent_name === '').map(({ trace_id }) => trace_id),
    )
    const agents = await listTraceAgents(db, project_id, [...unnamed])
    return messages
      .map((message) => ({
        ...message,
        agent_name: message.agent_name || (agents.get(message.trace_id) ?? ''),
      }))
      .filter(({ agent_name }) => !request.agent_name || agent_name === request.agent_name)
  }
}

function messageSpans(request: MessageSearch, searchIndex: MessageSpans['searchIndex']): MessageSpans {
  const { project_id, query, trace_id, conversation_id, agent_name, provider_name, request_model } = request
  return {
    project_id,
    filter: {
      ...(trace_id && { trace_ids: [trace_id] }),
      ...(conversation_id && { thread_ids: [conversation_id] }),
    },
    query: allEqual({ provider_name, request_model }),
    inTrace: allEqual({ agent_name }),
    text: query ?? '',
    searchIndex,
  }
}

/** The condition that these fields have these values, without those that are not set. */
function allEqual(values: Readonly<Record<string, string | null | undefined>>): Operand | undefined {
  const conditions = Object.entries(values).flatMap(([field, value]) =>
    value ? [{ $eq: [{ $getField: field }, { $literal: value }] }] : [],
  )
  return conditions.length === 0 ? undefined : parseQuery(RawJson.fromValue({ $expr: { $and: conditions } }))
}

const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'tool_call', 'tool_result'])

function isMatch({ roles, query }: MessageSearch, role: string, content: string): boolean {
  const hasRole =
    !roles?.length || roles.some((each) => each === role || (each === 'tool' && TOOL_ROLES.has(role)))
  return hasRole && (!query || searchPreview(content, query) !== undefined)
}

/** `messages` are latest first, and so are the conversations. */
function byConversation(messages: readonly FoundMessage[]): MatchedConversation[] {
  const results = new Map<string, MatchedConversation>()
  for (const { conversation_id, conversation_name, agent_name, ...message } of messages) {
    const known = results.get(conversation_id)
    if (known === undefined) {
      const last_activity = message.started_at
      const matched_messages = [message]
      results.set(conversation_id, {
        conversation_id,
        conversation_name,
        agent_name,
        matched_messages,
        last_activity,
      })
      continue
    }
    known.matched_messages.push(message)
    known.conversation_name ||= conversation_name
    known.agent_name ||= agent_name
  }
  return [...results.values()]
}

function searchTimeout(): ApiError {
  return new ApiError('timeout', 'the search took too long; narrow it by time, conversation, trace or agent')
}
