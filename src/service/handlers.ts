import type { Access } from './access/access.ts'
import { agentsHandlers } from './agents/agents.ts'
import { agentSpansHandlers } from './agents/spans.ts'
import { agentChatHandlers } from './agents/chat.ts'
import { agentStatsHandlers } from './agents/span-stats.ts'
import { agentAttributesHandlers } from './agents/span-attributes.ts'
import { agentConversationHandlers } from './agents/conversation-spans.ts'
import { agentSearchHandlers } from './agents/search.ts'
import { accountHandlers } from './access/account.ts'
import type { Quotas } from './access/quotas.ts'
import { callStatsHandlers } from './calls/call-stats.ts'
import { readCalls } from './calls/call-stream.ts'
import { callReadHandlers } from './calls/calls-read.ts'
import { callWriteHandlers } from './calls/calls-write.ts'
import { callCostHandlers } from './costs/call-cost.ts'
import { costHandlers } from './costs/costs.ts'
import { datasetSourcesHandlers } from './objects/dataset-sources.ts'
import { demoHandlers } from './demo/demo.ts'
import type { Deps } from './deps.ts'
import { tableExportHandlers } from './export/table-export.ts'
import { evaluationHandlers } from './evaluations/evaluations.ts'
import { scorerReportHandlers } from './evaluations/scorer-reports.ts'
import { exportHandlers } from './export/export.ts'
import { feedbackStatsHandlers } from './feedback/feedback-stats.ts'
import { feedbackHandlers } from './feedback/feedback.ts'
import { filesHandlers } from './objects/files.ts'
import type { Handlers } from './handler.ts'
import { keysHandlers } from './access/keys.ts'
import { liveHandlers } from './live/live.ts'
import { membersHandlers } from './access/members.ts'
import { metricsHandlers } from './metrics/metrics.ts'
import { objectLabelsHandlers } from './objects/object-labels.ts'
import { objectsHandlers } from './objects/objects.ts'
import { langfuseHandlers } from './otlp/langfuse.ts'
import { otlpHandlers } from './otlp/otlp.ts'
import { spanHandlers } from './otlp/remap.ts'
import { projectInfoHandlers } from './access/project-info.ts'
import type { ProjectDeletions } from './access/project-deletions.ts'
import { projectListHandlers } from './access/project-list.ts'
import { projectsHandlers } from './access/projects.ts'
import { sqlHandlers } from './sql/sql.ts'
import { queuesHandlers } from './queues/queues.ts'
import { refsHandlers } from './objects/refs.ts'
import { retentionHandlers } from './retention/retention.ts'
import { searchHandlers } from './calls/search.ts'
import { completionsHandlers } from './models/completions.ts'
import { modelBudgetHandlers } from './models/model-budget.ts'
import { runtimesHandlers } from './models/runtimes.ts'
import { secretsHandlers } from './models/secrets.ts'
import { serviceHandlers } from './service.ts'
import { sessionHandlers } from './access/session.ts'
import { tablesHandlers } from './objects/tables.ts'
import { threadsHandlers } from './calls/threads.ts'
import { userAdminHandlers } from './access/user-admin.ts'
import { usageHandlers } from './calls/usage.ts'
import { v2Handlers } from './v2/handlers.ts'

/** What handlers share with the rest of the server. */
export interface HandlerContext {
  readonly access: Access
  readonly quotas: Quotas
  readonly deletions: ProjectDeletions
}

/** Builds the handler of every operation in the contract. */
export function createHandlers(deps: Deps, { access, quotas, deletions }: HandlerContext): Handlers {
  const v1 = {
    ...serviceHandlers(deps),
    ...sessionHandlers(deps, access),
    ...keysHandlers(deps, access),
    ...accountHandlers(deps, access),
    ...userAdminHandlers(deps, access),
    ...projectListHandlers(deps, access),
    ...projectsHandlers(deps, deletions),
    ...membersHandlers(deps, access),
    ...retentionHandlers(deps),
    ...projectInfoHandlers(deps),
    ...objectsHandlers(deps),
    ...objectLabelsHandlers(deps),
    ...tablesHandlers(deps),
    ...datasetSourcesHandlers(deps),
    ...filesHandlers(deps),
    ...refsHandlers(deps),
    ...callWriteHandlers(deps),
    ...callReadHandlers(deps),
    ...threadsHandlers(deps),
    ...usageHandlers(deps),
    ...callStatsHandlers(deps),
    ...feedbackHandlers(deps),
    ...feedbackStatsHandlers(deps),
    ...costHandlers(deps),
    ...liveHandlers(deps),
    ...exportHandlers(deps),
    ...tableExportHandlers(deps),
    ...searchHandlers(deps),
    ...sqlHandlers(deps),
    ...metricsHandlers(deps),
    ...callCostHandlers(deps),
    ...queuesHandlers(deps),
    ...agentsHandlers(deps),
    ...agentSpansHandlers(deps),
    ...agentChatHandlers(deps),
    ...agentStatsHandlers(deps),
    ...agentAttributesHandlers(deps),
    ...agentConversationHandlers(deps),
    ...agentSearchHandlers(deps),
    ...secretsHandlers(deps),
  }
  return {
    ...v1,
    ...demoHandlers(deps, v1),
    ...evaluationHandlers(deps, v1.feedback_create),
    ...scorerReportHandlers(deps),
    ...spanHandlers(deps),
    ...completionsHandlers(deps, v1),
    ...modelBudgetHandlers(deps),
    ...runtimesHandlers(v1),
    ...otlpHandlers({ deps, access, quotas, createFeedback: v1.feedback_create_batch }),
    ...langfuseHandlers(access, v1),
    ...v2Handlers(deps, { ...v1, readCalls: (query) => readCalls(deps, query) }),
  }
}
