import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'

/** The data of a project that a bulk deletion covers. Deletion runs in batches, since the API has no bulk endpoint. */
export type DeletionScope =
  | { readonly kind: 'calls'; readonly before: string | undefined }
  | { readonly kind: 'objects' }
  | { readonly kind: 'feedback' }

const BATCH_SIZE = 500

export async function countMatching(
  project: Project,
  scope: DeletionScope,
  signal?: AbortSignal,
): Promise<number> {
  const { project_id } = project
  switch (scope.kind) {
    case 'calls': {
      const query = scope.before === undefined ? {} : { query: startedBefore(scope.before) }
      return (await api.call('calls_query_stats', { project_id, ...query }, signal)).count
    }
    case 'objects':
      return (await objectNames(project, signal)).length
    case 'feedback': {
      const request = { project_id, fields: ['id'], limit: 1 }
      return (await api.call('feedback_query', request, signal)).total_count
    }
  }
}

/**
 * Deletes batch by batch until nothing is left or `signal` aborts, and reports the count after each batch. Aborting does
 * not restore what was already deleted.
 */
export async function deleteMatching(
  project: Project,
  scope: DeletionScope,
  onProgress: (deleted: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await deleteBatch(project, scope, signal)
    if (count === 0) return
    deleted += count
    onProgress(deleted)
  }
}

async function deleteBatch(project: Project, scope: DeletionScope, signal: AbortSignal): Promise<number> {
  const { project_id } = project
  switch (scope.kind) {
    case 'calls': {
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          direction: 'asc',
          columns: ['id'],
          limit: BATCH_SIZE,
          ...(scope.before === undefined ? {} : { before: scope.before }),
        },
        signal,
      )
      if (calls.length === 0) return 0
      const call_ids = calls.map(({ id }) => id)
      const { num_deleted } = await api.call('calls_delete', { project_id, call_ids }, signal)
      // 0 if someone else has deleted these calls; the loop must go on.
      return Math.max(1, num_deleted)
    }
    case 'objects': {
      const names = await objectNames(project, signal)
      for (const object_id of names) {
        signal.throwIfAborted()
        await api.call('obj_delete', { project_id, object_id }, signal)
      }
      return names.length
    }
    case 'feedback': {
      const { result } = await api.call(
        'feedback_query',
        { project_id, fields: ['id'], limit: BATCH_SIZE },
        signal,
      )
      const ids = result.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
      if (ids.length === 0) return 0
      await api.call('feedback_purge', { project_id, query: withIds(ids) }, signal)
      return ids.length
    }
  }
}

async function objectNames({ project_id }: Project, signal?: AbortSignal): Promise<string[]> {
  const request = { project_id, filter: { latest_only: true }, metadata_only: true }
  const { objs } = await api.call('objs_query', request, signal)
  return objs.map(({ object_id }) => object_id)
}

function startedBefore(time: string): JsonText {
  return JsonText.of({ $expr: { $lt: [{ $getField: 'started_at' }, { $literal: time }] } })
}

function withIds(ids: readonly string[]): JsonText {
  const literals = ids.map((id) => ({ $literal: id }))
  return JsonText.of({ $expr: { $in: [{ $getField: 'id' }, literals] } })
}
