import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { queuesKey } from './use-queues.ts'

export type QueueItem = BrowserAnswer<'queue_items_list'>['items'][number]

export type ItemState = 'done' | 'skipped' | 'open'

/** The items of a queue. Others judge too, so they are read again while the page is looked at. */
export function useQueueItems(project: Project, queue_id: string) {
  const queries = useQueryClient()
  const session = useSession()
  const key = [...queuesKey(project), queue_id, 'items']
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api.call('queue_items_list', { ...inPath(project), queue_id }, signal)).items,
    refetchInterval: 10_000,
  })
  const show = (call_id: string, change: (item: QueueItem) => QueueItem): void => {
    queries.setQueryData<readonly QueueItem[]>(key, (items) =>
      items?.map((item) => (item.call_id === call_id ? change(item) : item)),
    )
  }
  const settle = useMutation({
    mutationFn: ({ call_id, state }: { readonly call_id: string; readonly state: ItemState }) =>
      api.call('queue_item_set_state', { ...inPath(project), queue_id, call_id, state }),
    onMutate: async ({ call_id, state }) => {
      await queries.cancelQueries({ queryKey: key })
      const before = queries.getQueryData<readonly QueueItem[]>(key)?.find((item) => item.call_id === call_id)
      show(call_id, (item) => settled(item, state, session?.user_id ?? ''))
      return before
    },
    onError: (_, { call_id }, before) => {
      if (before !== undefined) show(call_id, () => before)
    },
    onSuccess: (item) => show(item.call_id, () => item),
  })
  const remove = useMutation({
    mutationFn: (call_id: string) => api.call('queue_item_remove', { ...inPath(project), queue_id, call_id }),
    onSuccess: (_, call_id) => {
      queries.setQueryData<readonly QueueItem[]>(key, (items) =>
        items?.filter((item) => item.call_id !== call_id),
      )
      // Nobody waits for it: what was taken out is known.
      void queries.invalidateQueries({ queryKey: queuesKey(project) })
    },
  })
  return { list, settle, remove }
}

function settled(item: QueueItem, state: ItemState, me: string): QueueItem {
  const others = item.skipped_by.filter((user) => user !== me)
  const isDone = state === 'done'
  return {
    ...item,
    done_by: isDone ? me : null,
    done_at: isDone ? new Date().toISOString() : null,
    skipped_by: state === 'skipped' ? [...others, me] : others,
    held_by: null,
    held_until: null,
  }
}
