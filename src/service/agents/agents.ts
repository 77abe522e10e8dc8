import type { Agent, AgentVersion } from '../../contract/agents/agents.ts'
import { type AgentRow, listAgents } from '../../store/agents/agents.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handlers for agents and their versions. */

export const DEFAULT_LIMIT = 100

export function agentsHandlers({ db }: Deps): Pick<Handlers, 'agents_query' | 'agent_versions_query'> {
  return {
    agents_query: async ({ project_id, filters, sort_by, limit, offset }) => {
      const { rows, total } = await listAgents(db, {
        project_id,
        agent_name: filters?.agent_name ?? undefined,
        by: 'agent_name',
        sort_by,
        limit: limit ?? DEFAULT_LIMIT,
        offset: offset ?? undefined,
      })
      return { agents: rows.map((row) => viewAgent(project_id, row)), total_count: total }
    },
    agent_versions_query: async ({ project_id, agent_name, sort_by, limit, offset }) => {
      const { rows, total } = await listAgents(db, {
        project_id,
        agent_name,
        by: 'agent_version',
        sort_by,
        limit: limit ?? DEFAULT_LIMIT,
        offset: offset ?? undefined,
      })
      const versions = rows.map((row): AgentVersion => ({
        ...viewAgent(project_id, row),
        agent_version: row.agent_version,
      }))
      return { versions, total_count: total }
    },
  }
}

function viewAgent(project_id: string, row: AgentRow): Agent {
  return {
    project_id,
    agent_name: row.agent_name,
    invocation_count: Number(row.invocation_count),
    span_count: Number(row.span_count),
    total_input_tokens: Number(row.total_input_tokens),
    total_output_tokens: Number(row.total_output_tokens),
    total_duration_ms: Number(row.total_duration_ms),
    error_count: Number(row.error_count),
    first_seen: row.first_seen,
    last_seen: row.last_seen,
    total_cost_usd: null,
  }
}
