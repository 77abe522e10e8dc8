import { parseOptionalTime } from '../../core/metrics/time-buckets.ts'
import { requestedPage } from '../../store/query/page.ts'
import { streamThreads } from '../../store/calls/read/threads.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handler for the list of threads. */
export function threadsHandlers({ db }: Deps): Pick<Handlers, 'threads_query_stream'> {
  return {
    threads_query_stream: async (request) => {
      const filter = request.filter ?? {}
      return streamThreads(db, {
        project_id: request.project_id,
        after: parseOptionalTime(filter.after_datetime, 'after_datetime'),
        before: parseOptionalTime(filter.before_datetime, 'before_datetime'),
        thread_ids: filter.thread_ids ?? [],
        sort_by: request.sort_by,
        ...requestedPage(request),
      })
    },
  }
}
