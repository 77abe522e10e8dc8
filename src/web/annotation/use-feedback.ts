import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { parseResponse } from '../../client/browser/responses.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { type FeedbackRecord, toFeedbackRecord } from './feedback-record.ts'
import { newId } from './new-id.ts'

const MAX_RECORDS = 500

/** The content of a feedback record to create. */
export interface NewFeedback {
  readonly feedback_type: string
  readonly payload: JsonText
  readonly annotation_ref?: string
}

type Change =
  | { readonly kind: 'add' | 'replace'; readonly record: FeedbackRecord; readonly before?: FeedbackRecord }
  | { readonly kind: 'remove'; readonly before: FeedbackRecord }

/**
 * The feedback on one call, newest first, with optimistic updates: changes are shown immediately and sent one at a time.
 * If the server rejects a change, it is reverted and `saveError` holds the reason.
 */
export function useFeedback(project: Project, callId: string, queueId?: string) {
  const queryClient = useQueryClient()
  const session = useSession()
  const { project_id } = project
  const weave_ref = formatRef({ kind: 'call', project_id, id: callId, path: [] })
  const key = ['feedback', project_id, callId]

  const list = useQuery({
    queryKey: key,
    // Another tab or person may have added some.
    refetchOnWindowFocus: true,
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: weave_ref }] } }
      const text = await api.text(
        'feedback_query',
        {
          project_id,
          query: JsonText.of(query),
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: MAX_RECORDS,
        },
        signal,
      )
      const { result } = parseResponse(text, { result: [{ payload: 1 }] }) as {
        result: Record<string, unknown>[]
      }
      return result.map(toFeedbackRecord)
    },
  })

  const updateCache = (change: (records: readonly FeedbackRecord[]) => readonly FeedbackRecord[]): void => {
    queryClient.setQueryData<readonly FeedbackRecord[]>(key, (records) => change(records ?? []))
  }
  const changes = useMutation({
    // Sent in sequence: a later change of a score must not overtake an earlier one.
    scope: { id: `feedback ${project_id} ${callId}` },
    mutationFn: (change: Change) => send(change, { project_id, weave_ref, queueId }),
    onError: (_, change) => updateCache((records) => revertChange(records, change)),
    onSuccess: () => refreshLists(project_id),
  })

  const submit = (change: Change): void => {
    // A response already in flight does not contain this change.
    void queryClient.cancelQueries({ queryKey: key })
    updateCache((records) => applyChange(records, change))
    changes.mutate(change)
  }
  const isOwn = (record: FeedbackRecord): boolean => record.wb_user_id === session?.user_id
  const newRecord = (feedback: NewFeedback, id: string): FeedbackRecord => ({
    id,
    created_at: new Date().toISOString(),
    creator: null,
    wb_user_id: session?.user_id ?? null,
    annotation_ref: null,
    ...feedback,
  })
  return {
    records: list.data,
    /** The cached records, including changes not rendered yet: the next key may come before the render. */
    currentRecords: () => queryClient.getQueryData<readonly FeedbackRecord[]>(key) ?? [],
    /** The error of loading the list. */
    loadError: list.error,
    /** The error of the last change, which was reverted. */
    saveError: changes.error,
    clearSaveError: () => changes.reset(),
    isSending: changes.isPending,
    isOwn,
    add: (feedback: NewFeedback) => submit({ kind: 'add', record: newRecord(feedback, newId()) }),
    replace: (before: FeedbackRecord, feedback: NewFeedback) =>
      submit({ kind: 'replace', before, record: newRecord(feedback, before.id) }),
    remove: (before: FeedbackRecord) => submit({ kind: 'remove', before }),
  }
}

interface FeedbackTarget {
  readonly project_id: string
  readonly weave_ref: string
  readonly queueId: string | undefined
}

async function send(change: Change, { project_id, weave_ref, queueId }: FeedbackTarget): Promise<void> {
  if (change.kind === 'remove') {
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: change.before.id }] } }
    await api.call('feedback_purge', { project_id, query: JsonText.of(query) })
    return
  }
  const { id, feedback_type, payload, annotation_ref } = change.record
  const record = { project_id, weave_ref, feedback_type, payload, annotation_ref, queue_id: queueId ?? null }
  if (change.kind === 'add') await api.call('feedback_create', { ...record, id })
  else await api.call('feedback_replace', { ...record, feedback_id: id })
}

function applyChange(records: readonly FeedbackRecord[], change: Change): readonly FeedbackRecord[] {
  switch (change.kind) {
    case 'add':
      return [change.record, ...records]
    case 'replace':
      return records.map((record) => (record.id === change.record.id ? change.record : record))
    case 'remove':
      return records.filter(({ id }) => id !== change.before.id)
  }
}

function revertChange(records: readonly FeedbackRecord[], change: Change): readonly FeedbackRecord[] {
  switch (change.kind) {
    case 'add':
      return records.filter(({ id }) => id !== change.record.id)
    case 'replace': {
      const { before } = change
      return before === undefined
        ? records
        : records.map((record) => (record.id === before.id ? before : record))
    }
    case 'remove': {
      const isLater = ({ created_at }: FeedbackRecord): boolean => created_at > change.before.created_at
      return [...records.filter(isLater), change.before, ...records.filter((record) => !isLater(record))]
    }
  }
}

const LIST_REFRESH_DELAY_MS = 1500
let refreshTimer: ReturnType<typeof setTimeout> | undefined

/** Refreshes the call lists, which show feedback too. Debounced: many keys cause one refresh. */
function refreshLists(project_id: string): void {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => {
    void refreshQueries(['calls', project_id])
  }, LIST_REFRESH_DELAY_MS)
}
