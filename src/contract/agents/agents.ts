import { z } from 'zod'
import { datetime, offset, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { noCosts, pageLimit, sortBy } from './agent-fields.ts'

/** Agents and their versions: aggregates over the spans that name an agent. */

const agentSort = sortBy(
  'last_seen',
  'first_seen',
  'invocation_count',
  'span_count',
  'total_input_tokens',
  'total_output_tokens',
  'total_duration_ms',
  'error_count',
)

export type AgentSort = z.output<typeof agentSort>

const agent = z.object({
  project_id: z.string(),
  agent_name: z.string(),
  invocation_count: z.int().meta({ description: 'Spans of the operation `invoke_agent`.' }),
  span_count: z.int().meta({ description: 'Spans that name the agent.' }),
  total_input_tokens: z.int().meta({ description: 'Of the model calls that name the agent.' }),
  total_output_tokens: z.int().meta({ description: 'Of the model calls that name the agent.' }),
  total_duration_ms: z.int().meta({ description: 'Sum over the spans; running ones count as 0.' }),
  error_count: z.int(),
  first_seen: datetime,
  last_seen: datetime,
  total_cost_usd: z.null(),
})

export type Agent = z.output<typeof agent>

const agentVersion = agent.extend({
  agent_version: z.string().meta({ description: 'Empty for spans that name no version.' }),
})

export type AgentVersion = z.output<typeof agentVersion>

const page = { sort_by: agentSort, limit: pageLimit(10_000, 100), offset, include_costs: noCosts }
const total_count = z.int()

export const agentsOperations = {
  agents_query: operation({
    path: '/agents/query',
    summary: 'List the agents that spans name, with their statistics.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      filters: z.object({ agent_name: z.string().nullish() }).nullish(),
      ...page,
    }),
    response: z.object({ agents: z.array(agent), total_count }),
  }),
  agent_versions_query: operation({
    path: '/agents/agent-versions/query',
    summary: 'List the versions of an agent, with their statistics.',
    access: 'read',
    request: z.object({ project_id: projectId, agent_name: z.string().min(1), ...page }),
    response: z.object({ versions: z.array(agentVersion), total_count }),
  }),
}
