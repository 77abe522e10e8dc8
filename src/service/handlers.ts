import { callReadHandlers } from './calls-read.ts'
import { callWriteHandlers } from './calls-write.ts'
import { costHandlers } from './costs.ts'
import type { Deps } from './deps.ts'
import { feedbackHandlers } from './feedback.ts'
import { filesHandlers } from './files.ts'
import type { Handlers } from './handler.ts'
import { objectsHandlers } from './objects.ts'
import { refsHandlers } from './refs.ts'
import { serviceHandlers } from './service.ts'
import { tablesHandlers } from './tables.ts'

export function createHandlers(deps: Deps): Handlers {
  return {
    ...serviceHandlers(deps),
    ...objectsHandlers(deps),
    ...tablesHandlers(deps),
    ...filesHandlers(deps),
    ...refsHandlers(deps),
    ...callWriteHandlers(deps),
    ...callReadHandlers(deps),
    ...feedbackHandlers(deps),
    ...costHandlers(deps),
  }
}
