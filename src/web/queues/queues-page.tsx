import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, useProject } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { ActionMenu, MenuAction } from '../ui/action-menu.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ABOUT, ACTIONS, LINK, LinkList, LinkRow, WIDE_ONLY } from '../ui/link-list.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import { AddByFilter } from './add-by-filter.tsx'
import { DeleteQueue } from './delete-queue.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { QueueDialog, QueueForm } from './queue-form.tsx'
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
    <Page isScrolling>
      <PageHeader title="Review queues" summary={countText(queues.data)}>
        <WriteOnly>
          <ActionButton icon="plus" onClick={() => setCreating(true)}>
            New queue
          </ActionButton>
        </WriteOnly>
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
              <WriteOnly>
                <Button onClick={() => setCreating(true)}>New queue</Button>
              </WriteOnly>
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
        <LinkList
          label="Review queues"
          columns="minmax(160px, 3fr) minmax(200px, 2fr) minmax(90px, 1fr) 56px 28px"
          narrowColumns="minmax(120px, 2fr) minmax(150px, 2fr) 48px 28px"
        >
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
        </LinkList>
      )}
      <Dialog title="New review queue" isOpen={isCreating} onClose={() => setCreating(false)}>
        <QueueForm
          project={project}
          onCancel={() => setCreating(false)}
          onSaved={(queue) => {
            setCreating(false)
            setAddTarget(queue)
          }}
        />
      </Dialog>
      <AddByFilter project={project} queue={addTarget} onClose={() => setAddTarget(undefined)} />
      <QueueDialog project={project} queue={editTarget} onClose={() => setEditTarget(undefined)} />
      <DeleteQueue
        project={project}
        queue={deleteTarget}
        onClose={() => setDeleteTarget(undefined)}
        onDeleted={() => setDeleteTarget(undefined)}
      />
    </Page>
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
    <LinkRow>
      <div className={styles.names}>
        <Link
          to="/$entity/$project/weave/queues/$queue_id"
          params={{ entity, project: name, queue_id: queue.id }}
          search={{}}
          className={`${LINK} isolate`}
        >
          {visibleText(queue.name)}
        </Link>
        {queue.description !== '' && (
          <span className={`${ABOUT} isolate`}>{visibleText(queue.description)}</span>
        )}
      </div>
      <div>
        <ProgressBar {...queue} />
      </div>
      <span className={`${ABOUT} ${WIDE_ONLY}`}>
        <span className="isolate">{visibleText(queue.created_by)}</span> ·{' '}
        {formatAgo(queue.created_at, Date.now())}
      </span>
      <span className={styles.action} aria-hidden="true">
        {queue.total === 0 ? '' : isDone ? 'Done' : queue.done > 0 ? 'Continue' : 'Start'}
      </span>
      <WriteOnly>
        <ActionMenu label={`Actions for ${queue.name}`} className={ACTIONS}>
          <MenuAction icon="plus" onClick={onAddCalls}>
            Add calls by filter
          </MenuAction>
          <MenuAction icon="edit" onClick={onEdit}>
            Edit
          </MenuAction>
          <MenuAction color="danger" icon="trash" onClick={onDelete}>
            Delete
          </MenuAction>
        </ActionMenu>
      </WriteOnly>
    </LinkRow>
  )
}
