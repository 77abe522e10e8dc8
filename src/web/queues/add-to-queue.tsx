import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
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
    <Modal opened onClose={onClose} title={`Add ${calls} to a review queue`}>
      <QueueChooser project={project} ids={ids} onClose={onClose} />
    </Modal>
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
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            data-autofocus
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$entity/$project/weave/queues/$queue_id"
                params={{ entity: project.entity, project: project.project, queue_id: chosen.id }}
                search={{}}
              />
            )}
          >
            Open queue
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className={styles.done}>
      {queues.isError && <ErrorNotice error={queues.error} retry={() => void queues.refetch()} />}
      {add.isError && <ErrorNotice error={add.error} />}
      <ul className={styles.list} aria-label="Queues">
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
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => setCreating(true)}
        >
          New queue
        </Button>
      </div>
    </div>
  )
}
