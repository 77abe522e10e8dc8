import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handler for the live feed (docs/decisions/0009-live-feed.md). */
export function liveHandlers({ live }: Deps): Pick<Handlers, 'project_live'> {
  return { project_live: async (request, { user_id }) => live.follow(request, user_id) }
}
