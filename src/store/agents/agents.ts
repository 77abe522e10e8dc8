import type { AgentSort } from '../../contract/agents/agents.ts'
import { groupKey } from '../calls/read/group-keys.ts'
import { callRows, type ReadMode, readWithFallback } from '../calls/read/usage-query.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'
import { HAS_EXCEPTION, LATENCY_MS } from '../calls/columns/named-fields.ts'
import { ALL_TIME, IS_SPAN } from './spans.ts'

/** Agents are groups of the spans that name them; versions of an agent are groups of its spans. */

export interface AgentsQuery extends Page {
  readonly project_id: string
  /** Undefined: all agents. */
  readonly agent_name: string | undefined
  readonly by: 'agent_name' | 'agent_version'
  readonly sort_by: AgentSort
}

export interface AgentRow {
  readonly agent_name: string
  readonly agent_version: string
  readonly invocation_count: string
  readonly span_count: string
  readonly total_input_tokens: string
  readonly total_output_tokens: string
  readonly total_duration_ms: string
  readonly error_count: string
  readonly first_seen: string
  readonly last_seen: string
}

export interface AgentsPage {
  readonly rows: readonly AgentRow[]
  readonly total: number
}

export async function listAgents(db: Database, query: AgentsQuery): Promise<AgentsPage> {
  // Read again with documents if the count needs them, and then so is the page.
  let mode: ReadMode = 'extracted'
  const [counted] = await readWithFallback((readMode) => {
    mode = readMode
    return db.rows<{ total: string; needs_documents: string }>(selectAgentCount(query, readMode), {
      name: 'agents counted',
      kind: 'scan',
    })
  })
  const rows = await db.rows<AgentRow>(selectAgents(query, mode), { name: 'agents', kind: 'scan' })
  return { rows, total: Number(counted?.total ?? 0) }
}

export function selectAgentCount(query: AgentsQuery, mode: ReadMode): Sql {
  return sql`SELECT uniqExactIf(${identifier(query.by)}, ${isSelected(query)}) AS total, countIf(needs_document) AS needs_documents
${namedSpans(query, mode)}`
}

export function selectAgents(query: AgentsQuery, mode: ReadMode): Sql {
  return sql`SELECT agent_name, any(version) AS agent_version, countIf(is_invocation) AS invocation_count, count() AS span_count,
  toInt64(sum(ifNull(field_input_tokens, 0))) AS total_input_tokens,
  toInt64(sum(ifNull(field_output_tokens, 0))) AS total_output_tokens,
  toInt64(sum(greatest(ifNull(duration_ms, 0), 0))) AS total_duration_ms,
  countIf(is_error) AS error_count, min(started_at) AS first_seen, max(started_at) AS last_seen
FROM (SELECT *, agent_version AS version ${namedSpans(query, mode)})
WHERE ${isSelected(query)}
GROUP BY agent_name${query.by === 'agent_version' ? sql`, version` : sql``}
ORDER BY ${join(order(query), ', ')} ${page(query)}`
}

const OPERATION = 'attributes.gen_ai.operation_name'

function namedSpans({ project_id }: AgentsQuery, mode: ReadMode): Sql {
  const selection = { project_id, filter: undefined, conditions: [IS_SPAN], buckets: ALL_TIME }
  const value = (name: string, column: string) => ({
    ...groupKey(project_id, name, 'UTC'),
    column: identifier(column),
  })
  const values = [
    value('attributes.agent.name', 'name'),
    value('attributes.agent.version', 'version'),
    value(OPERATION, 'operation'),
  ]
  const columns = [
    sql`started_at`,
    sql`field_input_tokens`,
    sql`field_output_tokens`,
    sql`${HAS_EXCEPTION} AS is_error`,
    sql`${LATENCY_MS} AS duration_ms`,
  ]
  return sql`FROM (SELECT * EXCEPT (name, version, operation), ifNull(name, '') AS agent_name, ifNull(version, '') AS agent_version,
  ifNull(operation = 'invoke_agent', 0) AS is_invocation
  FROM (${callRows(selection, columns, [], false, mode, values)}))`
}

function isSelected({ agent_name }: AgentsQuery): Sql {
  return agent_name === undefined
    ? sql`agent_name != ''`
    : sql`agent_name = ${agent_name} AND agent_name != ''`
}

function order({ sort_by, by }: AgentsQuery): Sql[] {
  const requested = sort_by?.length ? sort_by : [{ field: 'last_seen' as const, direction: 'desc' as const }]
  const terms = requested.map(({ field, direction }) => sql`${identifier(field)} ${identifier(direction)}`)
  return [...terms, by === 'agent_version' ? sql`version` : sql`agent_name`]
}
