import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, useProject } from '../api/project.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import { AddByFilter } from './add-by-filter.tsx'
import { DeleteQueue } from './delete-queue.tsx'
import { EditQueue } from './edit-queue.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { QueueForm } from './queue-form.tsx'
import styles from './queues-page.module.css'
import { type Queue, useQueues } from './use-queues.ts'

/** The review queues of a project, and how far each one is. */
export function QueuesPage() {
  const project = useProject()
  useTitle('Queues', project.project_id)
  const navigate = useNavigate()
  const queues = useQueues(project)
  const [isMaking, setMaking] = useState(false)
  const [filled, setFilled] = useState<Queue>()
  const [edited, setEdited] = useState<Queue>()
  const [doomed, setDoomed] = useState<Queue>()
  const toTraces = (): void => {
    const { entity, project: name } = project
    void navigate({
      to: '/$entity/$project/weave/traces',
      params: { entity, project: name },
      search: {},
    })
  }
  return (
    <div className={styles.page}>
      <PageHead title="Review queues" about={countText(queues.data)}>
        <Button leftSection={<Icon name="plus" size={13} />} onClick={() => setMaking(true)}>
          New queue
        </Button>
      </PageHead>
      {queues.isError && queues.data === undefined && (
        <Failure error={queues.error} retry={() => void queues.refetch()} />
      )}
      {queues.data?.length === 0 && (
        <Empty
          icon="queue"
          title="No review queues yet"
          actions={
            <>
              <Button onClick={() => setMaking(true)}>New queue</Button>
              <Button variant="default" onClick={toTraces}>
                Choose calls
              </Button>
            </>
          }
        >
          A queue is a pile of calls that people judge one after the other, from the keyboard; nobody gets
          what somebody else has open. Make one and fill it by a filter, or select calls in the list of traces
          and press “Add to queue”.
        </Empty>
      )}
      {queues.data !== undefined && queues.data.length > 0 && (
        <ul className={styles.list} aria-label="Review queues">
          {queues.data.map((queue) => (
            <QueueRow
              key={queue.id}
              project={project}
              queue={queue}
              onFill={() => setFilled(queue)}
              onEdit={() => setEdited(queue)}
              onDelete={() => setDoomed(queue)}
            />
          ))}
        </ul>
      )}
      <Modal opened={isMaking} onClose={() => setMaking(false)} title="New review queue">
        {isMaking && (
          <QueueForm
            project={project}
            onCancel={() => setMaking(false)}
            onMade={(queue) => {
              setMaking(false)
              setFilled(queue)
            }}
          />
        )}
      </Modal>
      <AddByFilter project={project} queue={filled} onClose={() => setFilled(undefined)} />
      <EditQueue project={project} queue={edited} onClose={() => setEdited(undefined)} />
      <DeleteQueue
        project={project}
        queue={doomed}
        onClose={() => setDoomed(undefined)}
        onDeleted={() => setDoomed(undefined)}
      />
    </div>
  )
}

function countText(queues: readonly Queue[] | undefined): string {
  if (queues === undefined || queues.length === 0) return ''
  const open = queues.filter(({ total, done }) => done < total).length
  return open === 0 ? 'everything is judged' : `${open} with calls to judge`
}

interface RowProps {
  readonly project: Project
  readonly queue: Queue
  readonly onFill: () => void
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function QueueRow({ project, queue, onFill, onEdit, onDelete }: RowProps) {
  const { entity, project: name } = project
  const isDone = queue.total > 0 && queue.done === queue.total
  return (
    <li className={styles.row}>
      <div className={styles.names}>
        <Link
          to="/$entity/$project/weave/queues/$queue_id"
          params={{ entity, project: name, queue_id: queue.id }}
          search={{}}
          className={`${styles.name} foreign`}
        >
          {visibleText(queue.name)}
        </Link>
        {queue.description !== '' && (
          <span className={`${styles.about} foreign`}>{visibleText(queue.description)}</span>
        )}
      </div>
      <div className={styles.progress}>
        <ProgressBar {...queue} />
      </div>
      <span className={styles.made}>
        <span className="foreign">{visibleText(queue.created_by)}</span> ·{' '}
        {formatAgo(queue.created_at, Date.now())}
      </span>
      <span className={styles.go} aria-hidden="true">
        {queue.total === 0 ? '' : isDone ? 'Done' : queue.done > 0 ? 'Go on' : 'Begin'}
      </span>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`More about ${queue.name}`} className={styles.more}>
            <Icon name="more" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={onFill}>
            Add calls by a filter
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={onEdit}>
            Edit
          </Menu.Item>
          <Menu.Item color="madder" leftSection={<Icon name="trash" size={14} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
