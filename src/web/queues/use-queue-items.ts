import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { queuesKey } from './use-queues.ts'

export type QueueItem = BrowserResponse<'queue_items_list'>['items'][number]

export type ItemState = 'done' | 'skipped' | 'open'

/** The items of a queue. They are polled, because others review too. */
export function useQueueItems(project: Project, queue_id: string) {
  const queryClient = useQueryClient()
  const session = useSession()
  const key = [...queuesKey(project), queue_id, 'items']
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api.call('queue_items_list', { ...projectParams(project), queue_id }, signal)).items,
    refetchInterval: 10_000,
  })
  const updateItem = (call_id: string, change: (item: QueueItem) => QueueItem): void => {
    queryClient.setQueryData<readonly QueueItem[]>(key, (items) =>
      items?.map((item) => (item.call_id === call_id ? change(item) : item)),
    )
  }
  const setItemState = useMutation({
    mutationFn: ({ call_id, state }: { readonly call_id: string; readonly state: ItemState }) =>
      api.call('queue_item_set_state', { ...projectParams(project), queue_id, call_id, state }),
    onMutate: async ({ call_id, state }) => {
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient
        .getQueryData<readonly QueueItem[]>(key)
        ?.find((item) => item.call_id === call_id)
      updateItem(call_id, (item) => withState(item, state, session?.user_id ?? ''))
      return before
    },
    onError: (_, { call_id }, before) => {
      if (before !== undefined) updateItem(call_id, () => before)
    },
    onSuccess: (item) => updateItem(item.call_id, () => item),
  })
  const remove = useMutation({
    mutationFn: (call_id: string) =>
      api.call('queue_item_remove', { ...projectParams(project), queue_id, call_id }),
    onSuccess: (_, call_id) => {
      queryClient.setQueryData<readonly QueueItem[]>(key, (items) =>
        items?.filter((item) => item.call_id !== call_id),
      )
      // Not awaited: the removed item is already gone from the cache.
      void refreshQueries(queuesKey(project))
    },
  })
  return { list, setItemState, remove }
}

function withState(item: QueueItem, state: ItemState, me: string): QueueItem {
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
