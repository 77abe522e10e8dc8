import type { Access } from './access.ts'
import { callStatsHandlers } from './call-stats.ts'
import { callReadHandlers } from './calls-read.ts'
import { callWriteHandlers } from './calls-write.ts'
import { costExplainedHandlers } from './cost-explained.ts'
import { costHandlers } from './costs.ts'
import { demoHandlers } from './demo.ts'
import type { Deps } from './deps.ts'
import { exportHandlers } from './export.ts'
import { feedbackStatsHandlers } from './feedback-stats.ts'
import { feedbackHandlers } from './feedback.ts'
import { filesHandlers } from './files.ts'
import type { Handlers } from './handler.ts'
import { keysHandlers } from './keys.ts'
import { liveHandlers } from './live.ts'
import { membersHandlers } from './members.ts'
import { numbersHandlers } from './numbers.ts'
import { objectLabelsHandlers } from './object-labels.ts'
import { objectsHandlers } from './objects.ts'
import { projectInfoHandlers } from './project-info.ts'
import { projectListHandlers } from './project-list.ts'
import { projectSqlHandlers } from './project-sql.ts'
import { queuesHandlers } from './queues.ts'
import { refsHandlers } from './refs.ts'
import { searchHandlers } from './search.ts'
import { serviceHandlers } from './service.ts'
import { sessionHandlers } from './session.ts'
import { tablesHandlers } from './tables.ts'
import { threadsHandlers } from './threads.ts'
import { usageHandlers } from './usage.ts'
import { v2Handlers } from './v2/handlers.ts'

export function createHandlers(deps: Deps, access: Access): Handlers {
  const classic = {
    ...serviceHandlers(deps),
    ...sessionHandlers(deps, access),
    ...keysHandlers(deps, access),
    ...projectListHandlers(deps, access),
    ...membersHandlers(deps, access),
    ...projectInfoHandlers(deps),
    ...objectsHandlers(deps),
    ...objectLabelsHandlers(deps),
    ...tablesHandlers(deps),
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
    ...searchHandlers(deps),
    ...projectSqlHandlers(deps),
    ...numbersHandlers(deps),
    ...costExplainedHandlers(deps),
    ...queuesHandlers(deps),
  }
  return { ...classic, ...demoHandlers(deps, classic), ...v2Handlers(deps, classic) }
}
