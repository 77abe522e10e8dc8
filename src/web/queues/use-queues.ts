import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import type { BrowserResponse, BrowserInput } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'

export type Queue = BrowserResponse<'queue_read'>

export const queuesKey = (project: Project) => ['queues', project.project_id]

/** The review queues of a project, newest first. They are polled, because others review too. */
export function useQueues(project: Project) {
  return useQuery({
    queryKey: queuesKey(project),
    queryFn: async ({ signal }) => (await api.call('queues_list', projectParams(project), signal)).queues,
    refetchInterval: 15_000,
  })
}

export function useQueue(project: Project, queue_id: string) {
  return useQuery({
    queryKey: [...queuesKey(project), queue_id],
    queryFn: ({ signal }) => api.call('queue_read', { ...projectParams(project), queue_id }, signal),
  })
}

/** The path of the file with the results of a queue. */
export function resultsPath({ entity, project }: Project, queue_id: string): string {
  const [e, p, q] = [entity, project, queue_id].map(encodeURIComponent)
  return `/api/v1/projects/${e}/${p}/queues/${q}/results`
}

export interface NewQueue {
  readonly name: string
  readonly description: string
  /** Object names of annotation specs. An empty list means all. */
  readonly scores: readonly string[]
}

export function useCreateQueue(project: Project) {
  return useMutation({
    mutationFn: ({ name, description, scores }: NewQueue) =>
      api.call('queue_create', { ...projectParams(project), name, description, scores: [...scores] }),
    onSuccess: () => refreshQueries(queuesKey(project)),
  })
}

/** Updates the name, instructions and scores of a queue. Review progress is kept. */
export function useUpdateQueue(project: Project) {
  return useMutation({
    mutationFn: ({ queue_id, name, description, scores }: NewQueue & { readonly queue_id: string }) =>
      api.call('queue_update', {
        ...projectParams(project),
        queue_id,
        name,
        description,
        scores: [...scores],
      }),
    onSuccess: () => refreshQueries(queuesKey(project)),
  })
}

export function useDeleteQueue(project: Project) {
  return useMutation({
    mutationFn: (queue_id: string) => api.call('queue_delete', { ...projectParams(project), queue_id }),
    // Not awaited: the queue page is left before its refetch returns not_found.
    onSuccess: () => void refreshQueries(queuesKey(project)),
  })
}

/** The calls to add to a queue: given by id or by filter. */
export type CallsToAdd = Omit<BrowserInput<'queue_items_add'>, 'entity' | 'project' | 'queue_id'>

export function useAddToQueue(project: Project) {
  return useMutation({
    mutationFn: ({ queue_id, calls }: { readonly queue_id: string; readonly calls: CallsToAdd }) =>
      api.call('queue_items_add', { ...projectParams(project), queue_id, ...calls }),
    onSuccess: () => refreshQueries(queuesKey(project)),
  })
}
