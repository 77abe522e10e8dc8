import type { Deps } from './deps.ts'
import type { Handlers } from './handler.ts'
import { serviceHandlers } from './service.ts'

export function createHandlers(deps: Deps): Handlers {
  return {
    ...serviceHandlers(deps),
  }
}
