import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { PreviewLine } from '../call/preview-line.tsx'
import { StatusMark } from '../call/status-mark.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatDuration, formatTime } from '../time/format.ts'
import { SHOWN } from '../traces/use-call-list.ts'
import styles from './add-call.module.css'

interface Props {
  readonly project: Project
  /** Calls of the same op are offered. */
  readonly like: CallFacts
  readonly known: readonly string[]
  readonly onAdd: (id: string) => void
  readonly onClose: () => void
}

const OFFERED = 30

/** What else to compare with: another call of the same op, or any by its id. */
export function AddCall({ project, like, known, onAdd, onClose }: Props) {
  const [id, setId] = useState('')
  return (
    <Modal opened onClose={onClose} title="Compare with another call" size={640}>
      <form
        className={styles.byId}
        onSubmit={(event) => {
          event.preventDefault()
          if (id.trim() !== '') onAdd(id.trim())
        }}
      >
        <TextInput
          data-autofocus
          className={styles.field}
          aria-label="Id of a call"
          placeholder="The id of any call, or choose one below"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
        <Button type="submit" disabled={id.trim() === ''}>
          Add
        </Button>
      </form>
      <Offers project={project} like={like} known={known} onAdd={onAdd} />
    </Modal>
  )
}

/** The latest calls of the same op. */
export function Offers({ project, like, known, onAdd }: Omit<Props, 'onClose'>) {
  const offers = useQuery({
    queryKey: ['like', project.project_id, like.op_name],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        { ...inPath(project), ...SHOWN, filter: { op_names: [anyVersion(like.op_name)] }, limit: OFFERED },
        signal,
      )
      return calls.map(factsOf)
    },
  })
  if (offers.isError) return <Failure error={offers.error} retry={() => void offers.refetch()} />
  const others = offers.data?.filter((call) => !known.includes(call.id))
  if (others === undefined) return null
  if (others.length === 0)
    return <p className={styles.none}>There is no other call of this op. Any call can be added by its id.</p>
  return (
    <ul className={styles.list} aria-label="Latest calls of the same op">
      {others.map((call) => (
        <li key={call.id}>
          <button type="button" className={styles.offer} onClick={() => onAdd(call.id)}>
            <StatusMark status={call.status} isStale={call.isStale} />
            <span className={`${styles.name} foreign`}>{call.name}</span>
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

/** A ref of an op ends in its version. */
function anyVersion(op_name: string): string {
  return op_name.startsWith('weave:///') ? op_name.replace(/:[^:/]*$/, ':*') : op_name
}
