import { callStatsHandlers } from './call-stats.ts'
import { callReadHandlers } from './calls-read.ts'
import { callWriteHandlers } from './calls-write.ts'
import { costHandlers } from './costs.ts'
import type { Deps } from './deps.ts'
import { feedbackStatsHandlers } from './feedback-stats.ts'
import { feedbackHandlers } from './feedback.ts'
import { filesHandlers } from './files.ts'
import type { Handlers } from './handler.ts'
import { liveHandlers } from './live.ts'
import { objectLabelsHandlers } from './object-labels.ts'
import { objectsHandlers } from './objects.ts'
import { projectInfoHandlers } from './project-info.ts'
import { refsHandlers } from './refs.ts'
import { serviceHandlers } from './service.ts'
import { tablesHandlers } from './tables.ts'
import { threadsHandlers } from './threads.ts'
import { usageHandlers } from './usage.ts'
import { v2Handlers } from './v2/handlers.ts'

export function createHandlers(deps: Deps): Handlers {
  const classic = {
    ...serviceHandlers(deps),
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
  }
  return { ...classic, ...v2Handlers(deps, classic) }
}
