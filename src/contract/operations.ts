import type { z } from 'zod'
import { agentsOperations } from './agents/agents.ts'
import { agentSpansOperations } from './agents/spans.ts'
import { agentChatOperations } from './agents/chat.ts'
import { agentStatsOperations } from './agents/span-stats.ts'
import { agentAttributesOperations } from './agents/span-attributes.ts'
import { agentConversationOperations } from './agents/conversation-spans.ts'
import { agentSearchOperations } from './agents/message-search.ts'
import { accountOperations } from './access/account.ts'
import { annotationQueuesOperations } from './queues/annotation-queues.ts'
import { callStatsOperations } from './calls/call-stats.ts'
import { callsOperations } from './calls/calls.ts'
import { costExplainedOperations } from './costs/call-cost.ts'
import { costOperations } from './costs/costs.ts'
import { datasetSourcesOperations } from './objects/dataset-sources.ts'
import { demoOperations } from './demo.ts'
import { evaluationComparisonOperations } from './evaluations/comparison.ts'
import { gateOperations } from './evaluations/gates.ts'
import { scorerReportOperations } from './evaluations/scorer-reports.ts'
import { exportOperations } from './export/export.ts'
import { feedbackStatsOperations } from './feedback/feedback-stats.ts'
import { feedbackOperations } from './feedback/feedback.ts'
import { filesOperations } from './objects/files.ts'
import { keysOperations } from './access/keys.ts'
import { liveOperations } from './live/live.ts'
import { membersOperations } from './access/members.ts'
import { metricsOperations } from './metrics/metrics.ts'
import { objectLabelsOperations } from './objects/object-labels.ts'
import { objectsOperations } from './objects/objects.ts'
import type { ExportResponse, StreamedBytes } from './operation.ts'
import { otlpOperations } from './otlp.ts'
import { projectCallsOperations } from './calls/project-calls.ts'
import { projectInfoOperations } from './access/project-info.ts'
import { projectListOperations } from './access/project-list.ts'
import { projectsOperations } from './access/projects.ts'
import { projectSqlOperations } from './sql/sql.ts'
import { queueResultsOperations } from './queues/queue-results.ts'
import { queuesOperations } from './queues/queues.ts'
import { refsOperations } from './objects/refs.ts'
import { retentionOperations } from './retention/retention.ts'
import { completionsOperations } from './models/completions.ts'
import { modelBudgetOperations } from './models/model-budget.ts'
import { runtimesOperations } from './models/runtimes.ts'
import { secretsOperations } from './models/secrets.ts'
import { searchOperations } from './calls/search.ts'
import { serviceOperations } from './service.ts'
import { sessionOperations } from './access/session.ts'
import { tableExportOperations } from './export/table-export.ts'
import { tablesOperations } from './objects/tables.ts'
import { threadsOperations } from './calls/threads.ts'
import { ttlSettingsOperations } from './retention/ttl-settings.ts'
import { usageOperations } from './calls/usage.ts'
import { usersOperations } from './access/users.ts'
import { v2Operations } from './v2/operations.ts'

/**
 * The table of operations. Routes, validation, authorization, OpenAPI, the typed client, the reference page and the
 * tests that every operation must pass are derived from it; service/handlers.ts must have a handler for each entry.
 */
export const operations = {
  ...serviceOperations,
  ...sessionOperations,
  ...keysOperations,
  ...accountOperations,
  ...usersOperations,
  ...projectListOperations,
  ...projectsOperations,
  ...membersOperations,
  ...retentionOperations,
  ...ttlSettingsOperations,
  ...projectInfoOperations,
  ...objectsOperations,
  ...objectLabelsOperations,
  ...tablesOperations,
  ...datasetSourcesOperations,
  ...filesOperations,
  ...refsOperations,
  ...callsOperations,
  ...threadsOperations,
  ...usageOperations,
  ...callStatsOperations,
  ...feedbackOperations,
  ...feedbackStatsOperations,
  ...costOperations,
  ...v2Operations,
  ...evaluationComparisonOperations,
  ...gateOperations,
  ...scorerReportOperations,
  ...liveOperations,
  ...projectCallsOperations,
  ...exportOperations,
  ...tableExportOperations,
  ...searchOperations,
  ...projectSqlOperations,
  ...metricsOperations,
  ...costExplainedOperations,
  ...queuesOperations,
  ...queueResultsOperations,
  ...annotationQueuesOperations,
  ...demoOperations,
  ...otlpOperations,
  ...agentsOperations,
  ...agentSpansOperations,
  ...agentChatOperations,
  ...agentStatsOperations,
  ...agentAttributesOperations,
  ...agentConversationOperations,
  ...agentSearchOperations,
  ...secretsOperations,
  ...completionsOperations,
  ...modelBudgetOperations,
  ...runtimesOperations,
}

type Operations = typeof operations
export type OperationName = keyof Operations

export type RequestOf<Name extends OperationName> = z.output<Operations[Name]['request']>
/** The request as a caller writes it, before defaults and transforms. */
export type InputOf<Name extends OperationName> = z.input<Operations[Name]['request']>
type DocumentOf<Name extends OperationName> = z.output<Operations[Name]['response']>

/** The return type of a handler, by response format: a document, a stream of documents or bytes. */
export type ResponseOf<Name extends OperationName> = Operations[Name]['responseFormat'] extends
  | 'jsonl'
  | 'events'
  ? AsyncIterable<DocumentOf<Name>>
  : Operations[Name]['responseFormat'] extends 'bytes'
    ? Buffer
    : Operations[Name]['responseFormat'] extends 'stream'
      ? StreamedBytes
      : Operations[Name]['responseFormat'] extends 'otlp'
        ? ExportResponse
        : DocumentOf<Name>

export function operationNames(): OperationName[] {
  return Object.keys(operations) as OperationName[]
}
