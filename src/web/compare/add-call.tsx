import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { StatusIcon } from '../call/status-icon.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatDuration, formatTime } from '../time/format.ts'
import { LIST_ITEM_PARAMS } from '../call/read-calls.ts'
import styles from './add-call.module.css'

interface Props {
  readonly project: Project
  /** Calls of the same op are suggested. */
  readonly reference: CallListItem
  readonly excludedIds: readonly string[]
  readonly onAdd: (id: string) => void
  readonly onClose: () => void
}

const MAX_SUGGESTIONS = 30

/** Dialog that adds a call to the comparison: a recent call of the same op, or any call by id. */
export function AddCall({ project, reference, excludedIds, onAdd, onClose }: Props) {
  const [id, setId] = useState('')
  return (
    <Dialog title="Add call to comparison" onClose={onClose} size={640}>
      <form
        className={styles.byId}
        onSubmit={(event) => {
          event.preventDefault()
          if (id.trim() !== '') onAdd(id.trim())
        }}
      >
        <TextInput
          data-autofocus
          className="grow"
          aria-label="Call ID"
          placeholder="Call ID, or select one below"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <Button type="submit" disabled={id.trim() === ''}>
          Add
        </Button>
      </form>
      <CallSuggestions project={project} reference={reference} excludedIds={excludedIds} onAdd={onAdd} />
    </Dialog>
  )
}

/** The most recent calls of the same op. */
export function CallSuggestions({ project, reference, excludedIds, onAdd }: Omit<Props, 'onClose'>) {
  const suggestions = useQuery({
    queryKey: ['call suggestions', project.project_id, reference.op_name],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          ...LIST_ITEM_PARAMS,
          filter: { op_names: [anyVersion(reference.op_name)] },
          limit: MAX_SUGGESTIONS,
        },
        signal,
      )
      return calls.map(toCallListItem)
    },
  })
  if (suggestions.isError)
    return <ErrorNotice error={suggestions.error} retry={() => void suggestions.refetch()} />
  const others = suggestions.data?.filter((call) => !excludedIds.includes(call.id))
  if (others === undefined) return null
  if (others.length === 0)
    return <p className={styles.none}>No other calls of this op. Add any call by its ID.</p>
  return (
    <ul className={`${styles.list} rows`} aria-label="Recent calls of the same op">
      {others.map((call) => (
        <li key={call.id}>
          <button type="button" className={styles.suggestion} onClick={() => onAdd(call.id)}>
            <StatusIcon status={call.status} isStale={call.isStale} />
            <span className={`${styles.name} isolate`}>{call.name}</span>
            <span className={styles.input}>
              <PreviewLine json={call.inputText} />
            </span>
            <span className={styles.fact}>{formatTime(call.started_at)}</span>
            <span className={styles.fact}>
              {call.latencyMs === undefined ? '' : formatDuration(call.latencyMs)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Replaces the version at the end of an op ref with a wildcard. */
function anyVersion(op_name: string): string {
  return op_name.startsWith('weave:///') ? op_name.replace(/:[^:/]*$/, ':*') : op_name
}
