import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, useProject } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import { AddByFilter } from './add-by-filter.tsx'
import { DeleteQueue } from './delete-queue.tsx'
import { EditQueue } from './edit-queue.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { QueueForm } from './queue-form.tsx'
import styles from './queues-page.module.css'
import { type Queue, useQueues } from './use-queues.ts'

/** The list of a project's review queues with their progress. */
export function QueuesPage() {
  const project = useProject()
  useDocumentTitle('Queues', project.project_id)
  const navigate = useNavigate()
  const queues = useQueues(project)
  const [isCreating, setCreating] = useState(false)
  const [addTarget, setAddTarget] = useState<Queue>()
  const [editTarget, setEditTarget] = useState<Queue>()
  const [deleteTarget, setDeleteTarget] = useState<Queue>()
  const openTraces = (): void => {
    const { entity, project: name } = project
    void navigate({
      to: '/$entity/$project/weave/traces',
      params: { entity, project: name },
      search: {},
    })
  }
  return (
    <div className={styles.page}>
      <PageHeader title="Review queues" summary={countText(queues.data)}>
        <Button leftSection={<Icon name="plus" size={13} />} onClick={() => setCreating(true)}>
          New queue
        </Button>
      </PageHeader>
      {queues.isError && queues.data === undefined && (
        <ErrorNotice error={queues.error} retry={() => void queues.refetch()} />
      )}
      {queues.data?.length === 0 && (
        <EmptyState
          icon="queue"
          title="No review queues yet"
          actions={
            <>
              <Button onClick={() => setCreating(true)}>New queue</Button>
              <Button variant="default" onClick={openTraces}>
                Select calls
              </Button>
            </>
          }
        >
          A review queue is a list of calls that reviewers go through one by one. Two reviewers never get the
          same call. Create a queue and add calls by filter, or select calls in the trace list and choose “Add
          to queue”.
        </EmptyState>
      )}
      {queues.data !== undefined && queues.data.length > 0 && (
        <ul className={styles.list} aria-label="Review queues">
          {queues.data.map((queue) => (
            <QueueRow
              key={queue.id}
              project={project}
              queue={queue}
              onAddCalls={() => setAddTarget(queue)}
              onEdit={() => setEditTarget(queue)}
              onDelete={() => setDeleteTarget(queue)}
            />
          ))}
        </ul>
      )}
      <Modal opened={isCreating} onClose={() => setCreating(false)} title="New review queue">
        {isCreating && (
          <QueueForm
            project={project}
            onCancel={() => setCreating(false)}
            onSaved={(queue) => {
              setCreating(false)
              setAddTarget(queue)
            }}
          />
        )}
      </Modal>
      <AddByFilter project={project} queue={addTarget} onClose={() => setAddTarget(undefined)} />
      <EditQueue project={project} queue={editTarget} onClose={() => setEditTarget(undefined)} />
      <DeleteQueue
        project={project}
        queue={deleteTarget}
        onClose={() => setDeleteTarget(undefined)}
        onDeleted={() => setDeleteTarget(undefined)}
      />
    </div>
  )
}

function countText(queues: readonly Queue[] | undefined): string {
  if (queues === undefined || queues.length === 0) return ''
  const open = queues.filter(({ total, done }) => done < total).length
  return open === 0 ? 'all reviewed' : `${open} in progress`
}

interface RowProps {
  readonly project: Project
  readonly queue: Queue
  readonly onAddCalls: () => void
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function QueueRow({ project, queue, onAddCalls, onEdit, onDelete }: RowProps) {
  const { entity, project: name } = project
  const isDone = queue.total > 0 && queue.done === queue.total
  return (
    <li className={styles.row}>
      <div className={styles.names}>
        <Link
          to="/$entity/$project/weave/queues/$queue_id"
          params={{ entity, project: name, queue_id: queue.id }}
          search={{}}
          className={`${styles.name} isolate`}
        >
          {visibleText(queue.name)}
        </Link>
        {queue.description !== '' && (
          <span className={`${styles.about} isolate`}>{visibleText(queue.description)}</span>
        )}
      </div>
      <div>
        <ProgressBar {...queue} />
      </div>
      <span className={styles.created}>
        <span className="isolate">{visibleText(queue.created_by)}</span> ·{' '}
        {formatAgo(queue.created_at, Date.now())}
      </span>
      <span className={styles.action} aria-hidden="true">
        {queue.total === 0 ? '' : isDone ? 'Done' : queue.done > 0 ? 'Continue' : 'Start'}
      </span>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${queue.name}`} className={styles.more}>
            <Icon name="more" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={onAddCalls}>
            Add calls by filter
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
