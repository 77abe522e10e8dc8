import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { addedText } from './added-text.ts'
import styles from './add-to-queue.module.css'
import { QueueForm } from './queue-form.tsx'
import { type Queue, useAddToQueue, useQueues } from './use-queues.ts'

interface Props {
  readonly project: Project
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** The dialog that adds selected calls to an existing or a new queue. */
export function AddToQueue({ project, ids, onClose }: Props) {
  const calls = ids.length === 1 ? '1 call' : `${ids.length} calls`
  return (
    <Dialog title={`Add ${calls} to a review queue`} onClose={onClose}>
      <QueueChooser project={project} ids={ids} onClose={onClose} />
    </Dialog>
  )
}

function QueueChooser({ project, ids, onClose }: Props) {
  const queues = useQueues(project)
  const add = useAddToQueue(project)
  const [isCreating, setCreating] = useState(false)
  const [chosen, setChosen] = useState<Queue>()
  const addTo = (queue: Queue): void => {
    setChosen(queue)
    setCreating(false)
    add.mutate({ queue_id: queue.id, calls: { call_ids: [...ids] } })
  }
  if (isCreating || queues.data?.length === 0) {
    return (
      <QueueForm
        project={project}
        onSaved={addTo}
        onCancel={() => (queues.data?.length === 0 ? onClose() : setCreating(false))}
      />
    )
  }
  if (add.isSuccess && chosen !== undefined) {
    return (
      <div className={styles.done}>
        <p role="status">{addedText(add.data)}</p>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <LinkButton
            data-autofocus
            to="/$entity/$project/weave/queues/$queue_id"
            params={{ entity: project.entity, project: project.project, queue_id: chosen.id }}
            search={{}}
          >
            Open queue
          </LinkButton>
        </DialogActions>
      </div>
    )
  }
  return (
    <div className={styles.done}>
      {queues.isError && <ErrorNotice error={queues.error} retry={() => void queues.refetch()} />}
      {add.isError && <ErrorNotice error={add.error} />}
      <ul className={`${styles.list} rows`} aria-label="Queues">
        {(queues.data ?? []).map((queue, i) => (
          <li key={queue.id}>
            <button
              type="button"
              className={styles.queue}
              data-autofocus={i === 0 || undefined}
              disabled={add.isPending}
              onClick={() => addTo(queue)}
            >
              <span className={`${styles.name} isolate`}>{visibleText(queue.name)}</span>
              <span className={styles.about}>
                {queue.done} of {queue.total} reviewed
              </span>
            </button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <ActionButton variant="default" icon="plus" onClick={() => setCreating(true)}>
          New queue
        </ActionButton>
      </DialogActions>
    </div>
  )
}
