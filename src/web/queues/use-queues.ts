import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BrowserAnswer, BrowserInput } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'

export type Queue = BrowserAnswer<'queue_read'>

export const queuesKey = (project: Project) => ['queues', project.project_id]

/** The review queues of a project, the newest first. Others judge in them too: they are read again now and then. */
export function useQueues(project: Project) {
  return useQuery({
    queryKey: queuesKey(project),
    queryFn: async ({ signal }) => (await api.call('queues_list', inPath(project), signal)).queues,
    refetchInterval: 15_000,
  })
}

export function useQueue(project: Project, queue_id: string) {
  return useQuery({
    queryKey: [...queuesKey(project), queue_id],
    queryFn: ({ signal }) => api.call('queue_read', { ...inPath(project), queue_id }, signal),
  })
}

export interface NewQueue {
  readonly name: string
  readonly description: string
  /** Names of annotation specs; none stands for all. */
  readonly scores: readonly string[]
}

export function useMakeQueue(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, description, scores }: NewQueue) =>
      api.call('queue_create', { ...inPath(project), name, description, scores: [...scores] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queuesKey(project) }),
  })
}

/** Changes what a queue is called and asks for. What was judged in it stays. */
export function useUpdateQueue(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ queue_id, name, description, scores }: NewQueue & { readonly queue_id: string }) =>
      api.call('queue_update', { ...inPath(project), queue_id, name, description, scores: [...scores] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queuesKey(project) }),
  })
}

export function useDeleteQueue(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (queue_id: string) => api.call('queue_delete', { ...inPath(project), queue_id }),
    // Not waited for: the page of the queue is left before it learns that there is none.
    onSuccess: () => void queries.invalidateQueries({ queryKey: queuesKey(project) }),
  })
}

/** Calls for a queue: some that were chosen, or those that match. */
export type CallsToAdd = Omit<BrowserInput<'queue_items_add'>, 'entity' | 'project' | 'queue_id'>

export function useAddToQueue(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ queue_id, calls }: { readonly queue_id: string; readonly calls: CallsToAdd }) =>
      api.call('queue_items_add', { ...inPath(project), queue_id, ...calls }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queuesKey(project) }),
  })
}
