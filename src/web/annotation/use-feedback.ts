import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAnswer } from '../../client/browser/responses.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { type FeedbackRecord, recordOf } from './feedback-record.ts'
import { newId } from './new-id.ts'

const MOST_RECORDS = 500

/** What somebody wants to say. */
export interface Saying {
  readonly feedback_type: string
  readonly payload: JsonText
  readonly annotation_ref?: string
}

type Change =
  | { readonly kind: 'add' | 'replace'; readonly record: FeedbackRecord; readonly before?: FeedbackRecord }
  | { readonly kind: 'remove'; readonly before: FeedbackRecord }

/**
 * What was said of one call, the newest first. What one says oneself is shown at once and sent one after the other; if
 * the server refuses it, it is taken back and `error` says why.
 */
export function useFeedback(project: Project, callId: string, queueId?: string) {
  const queries = useQueryClient()
  const session = useSession()
  const { project_id } = project
  const weave_ref = formatRef({ kind: 'call', project_id, id: callId, path: [] })
  const key = ['feedback', project_id, callId]

  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: weave_ref }] } }
      const text = await api.text(
        'feedback_query',
        {
          project_id,
          query: JsonText.of(query),
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: MOST_RECORDS,
        },
        signal,
      )
      const { result } = readAnswer(text, { result: [{ payload: 1 }] }) as {
        result: Record<string, unknown>[]
      }
      return result.map(recordOf)
    },
  })

  const show = (change: (records: readonly FeedbackRecord[]) => readonly FeedbackRecord[]): void => {
    queries.setQueryData<readonly FeedbackRecord[]>(key, (records) => change(records ?? []))
  }
  const changes = useMutation({
    // One after the other: the second thought about a score must not overtake the first.
    scope: { id: `feedback ${project_id} ${callId}` },
    mutationFn: (change: Change) => send(change, { project_id, weave_ref, queueId }),
    onError: (_, change) => show((records) => undone(records, change)),
    onSuccess: () => refreshLists(queries, project_id),
  })

  const make = (change: Change): void => {
    // An answer that is on its way does not know of it yet.
    void queries.cancelQueries({ queryKey: key })
    show((records) => applied(records, change))
    changes.mutate(change)
  }
  const mine = (record: FeedbackRecord): boolean => record.wb_user_id === session?.user_id
  const made = (saying: Saying, id: string): FeedbackRecord => ({
    id,
    created_at: new Date().toISOString(),
    creator: null,
    wb_user_id: session?.user_id ?? null,
    annotation_ref: null,
    ...saying,
  })
  return {
    records: list.data,
    /** With what was said a moment ago and is not drawn yet: the next key may be as fast. */
    recordsNow: () => queries.getQueryData<readonly FeedbackRecord[]>(key) ?? [],
    /** Why nothing is shown. */
    unread: list.error,
    /** Why the last thing that was said is not shown any more. */
    error: changes.error,
    forgetError: () => changes.reset(),
    isSending: changes.isPending,
    mine,
    say: (saying: Saying) => make({ kind: 'add', record: made(saying, newId()) }),
    replace: (before: FeedbackRecord, saying: Saying) =>
      make({ kind: 'replace', before, record: made(saying, before.id) }),
    remove: (before: FeedbackRecord) => make({ kind: 'remove', before }),
  }
}

interface Subject {
  readonly project_id: string
  readonly weave_ref: string
  readonly queueId: string | undefined
}

async function send(change: Change, { project_id, weave_ref, queueId }: Subject): Promise<void> {
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

function applied(records: readonly FeedbackRecord[], change: Change): readonly FeedbackRecord[] {
  switch (change.kind) {
    case 'add':
      return [change.record, ...records]
    case 'replace':
      return records.map((record) => (record.id === change.record.id ? change.record : record))
    case 'remove':
      return records.filter(({ id }) => id !== change.before.id)
  }
}

function undone(records: readonly FeedbackRecord[], change: Change): readonly FeedbackRecord[] {
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

const LISTS_WAIT_MS = 1500
let waiting: ReturnType<typeof setTimeout> | undefined

/** Lists show feedback too. They are read once after the last of many keys, and not after each. */
function refreshLists(queries: QueryClient, project_id: string): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    void queries.invalidateQueries({ queryKey: ['calls', project_id] })
  }, LISTS_WAIT_MS)
}
