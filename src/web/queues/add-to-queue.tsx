import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
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

/** Puts selected calls into a queue that is there, or into a new one. */
export function AddToQueue({ project, ids, onClose }: Props) {
  const calls = ids.length === 1 ? '1 call' : `${ids.length} calls`
  return (
    <Modal opened onClose={onClose} title={`Add ${calls} to a review queue`}>
      <Chooser project={project} ids={ids} onClose={onClose} />
    </Modal>
  )
}

function Chooser({ project, ids, onClose }: Props) {
  const queues = useQueues(project)
  const add = useAddToQueue(project)
  const [isMaking, setMaking] = useState(false)
  const [chosen, setChosen] = useState<Queue>()
  const put = (queue: Queue): void => {
    setChosen(queue)
    setMaking(false)
    add.mutate({ queue_id: queue.id, calls: { call_ids: [...ids] } })
  }
  if (isMaking || queues.data?.length === 0) {
    return (
      <QueueForm
        project={project}
        onMade={put}
        onCancel={() => (queues.data?.length === 0 ? onClose() : setMaking(false))}
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
            Open the queue
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className={styles.done}>
      {queues.isError && <Failure error={queues.error} retry={() => void queues.refetch()} />}
      {add.isError && <Failure error={add.error} />}
      <ul className={styles.list} aria-label="Queues">
        {(queues.data ?? []).map((queue, i) => (
          <li key={queue.id}>
            <button
              type="button"
              className={styles.queue}
              data-autofocus={i === 0 || undefined}
              disabled={add.isPending}
              onClick={() => put(queue)}
            >
              <span className={`${styles.name} foreign`}>{visibleText(queue.name)}</span>
              <span className={styles.about}>
                {queue.done} of {queue.total} judged
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => setMaking(true)}
        >
          New queue
        </Button>
      </div>
    </div>
  )
}
