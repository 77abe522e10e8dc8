import { Button } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { CallDetail } from '../call/call-detail.tsx'
import { UndoToast } from '../annotation/undo-toast.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Page } from '../ui/page.tsx'
import { formatTime } from '../time/format.ts'
import { NextCall } from './next-call.tsx'
import { ItemRail } from './item-rail.tsx'
import { ItemToolbar } from './item-toolbar.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { PrefetchCall } from './prefetch-call.tsx'
import { adjacentItem, nextOpenItem } from './queue-order.ts'
import type { QueueAction } from './queue-actions.ts'
import { QueueDialogs } from './queue-dialogs.tsx'
import { QueueHeader } from './queue-header.tsx'
import styles from './queue-page.module.css'
import { useClaim } from './use-claim.ts'
import { type ItemState, useQueueItems } from './use-queue-items.ts'
import { resultsPath, useQueue } from './use-queues.ts'
import type { Search } from '../search-state.ts'
import { useChangeSearch } from '../use-change-search.ts'

const ROUTE = '/$entity/$project/weave/queues/$queue_id'

/** The review page of a queue, one call at a time. The URL holds the call; without one the server picks the next. */
export function QueuePage() {
  const project = useProject()
  const { queue_id } = useParams({ from: ROUTE })
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const me = useSession()?.user_id
  const queue = useQueue(project, queue_id)
  const { list, setItemState, remove } = useQueueItems(project, queue_id)
  const [action, setAction] = useState<QueueAction>()
  const items = list.data ?? []
  const current = search.item
  const item = items.find(({ call_id }) => call_id === current)
  const index = item === undefined ? -1 : items.indexOf(item)
  const includeSkipped = search.skipped === 'on'
  useDocumentTitle(queue.data?.name ?? 'Queue', project.project_id)

  const openCall = (call_id: string | undefined, replace = false): void => {
    void navigate({
      params: { entity: project.entity, project: project.project, queue_id },
      search: (before: Search<'queue'>) => {
        const { item: _, ...rest } = before
        return call_id === undefined ? rest : { ...rest, item: call_id }
      },
      replace,
    })
  }
  const changeSearch = useChangeSearch('queue', { replace: true })

  // Only open items are claimed: a done item is not reserved.
  const claim = useClaim(project, queue_id, item?.done_by === null ? item.call_id : undefined)

  // The next call is prefetched while this one is reviewed.
  const nextId = current === undefined ? undefined : nextOpenItem(items, current, me, includeSkipped)?.call_id

  // If another reviewer already holds a call that the page opened automatically, skip to the next one.
  const autoOpened = useRef<string>(undefined)
  useEffect(() => {
    if (claim.heldBy !== undefined && autoOpened.current === current) goToNext()
  }, [claim.heldBy])
  const goToNext = (): void => {
    autoOpened.current = nextId
    openCall(nextId)
  }

  const finish = (state: ItemState): void => {
    if (item === undefined || claim.heldBy !== undefined) return
    claim.markCompleted()
    if (state !== 'open' && nextId !== undefined) {
      setItemState.mutate({ call_id: item.call_id, state })
      goToNext()
      return
    }
    // The server must store this state before the page asks it for the next call.
    setItemState.mutate(
      { call_id: item.call_id, state },
      { onSuccess: () => state !== 'open' && openCall(undefined) },
    )
  }
  const removeCall = (): void => {
    setAction(undefined)
    if (item === undefined) return
    claim.markCompleted()
    if (nextId !== undefined) {
      remove.mutate(item.call_id)
      goToNext()
      return
    }
    remove.mutate(item.call_id, { onSuccess: () => openCall(undefined) })
  }
  const markDone = (): void => {
    if (item === undefined) return
    if (item.done_by === null) finish('done')
    else goToNext()
  }
  const step = (by: 1 | -1): void => {
    const other = current === undefined ? undefined : adjacentItem(items, current, by)
    if (other !== undefined) openCall(other.call_id)
  }
  const params = { entity: project.entity, project: project.project }
  const toQueues = (): void => void navigate({ to: '/$entity/$project/weave/queues', params })
  useShortcuts('Queue', [
    { keys: 'd mod+Enter', label: 'Mark as done and go to the next call', run: markDone },
    { keys: 's', label: 'Skip the call', run: () => finish('skipped') },
    {
      keys: 'x',
      label: 'Remove the call from the queue',
      run: () => item !== undefined && claim.heldBy === undefined && setAction('remove call'),
    },
    { keys: 'j', label: 'Next call', run: () => step(1) },
    { keys: 'k', label: 'Previous call', run: () => step(-1) },
    { keys: 'Escape', label: 'Back to all queues', run: toQueues },
  ])

  const queuesLink = (
    <LinkButton variant="default" to="/$entity/$project/weave/queues" params={params}>
      All queues
    </LinkButton>
  )
  if (queue.isError) return <ErrorNotice error={queue.error} retry={() => void queue.refetch()} />
  const counts = {
    total: items.length,
    done: items.filter(({ done_by }) => done_by !== null).length,
    skipped: items.filter(
      ({ done_by, skipped_by }) => done_by === null && me !== undefined && skipped_by.includes(me),
    ).length,
  }
  const failure = setItemState.error ?? remove.error
  return (
    <Page>
      <QueueHeader
        name={queue.data?.name ?? 'Queue'}
        resultsPath={resultsPath(project, queue_id)}
        progress={list.data === undefined ? '' : <ProgressBar {...counts} />}
        canRemoveCall={item !== undefined && claim.heldBy === undefined}
        onAction={setAction}
        onClose={toQueues}
      />
      <div className={styles.tools}>
        <span className={`${styles.about} isolate`}>{visibleText(queue.data?.description ?? '')}</span>
        {item !== undefined && (
          <ItemToolbar
            project={project}
            item={item}
            index={index}
            count={items.length}
            isHeld={claim.heldBy !== undefined}
            onStep={step}
            onState={finish}
            onDone={markDone}
          />
        )}
      </div>
      {failure !== null && (
        <div className={styles.failure}>
          <UndoToast
            error={failure}
            onClose={() => {
              setItemState.reset()
              remove.reset()
            }}
          />
        </div>
      )}
      {item !== undefined && item.done_by !== null && (
        <p className={styles.done} role="status">
          <Icon name="check" size={13} /> Reviewed by <b className="isolate">{visibleText(item.done_by)}</b>
          {item.done_at !== null && <time dateTime={item.done_at}>{formatTime(item.done_at)}</time>}
        </p>
      )}
      <div className={styles.content}>
        {items.length > 0 && (
          <ItemRail project={project} items={items} current={current} me={me} onOpen={(id) => openCall(id)} />
        )}
        <div className={styles.call}>
          {list.isError && list.data === undefined ? (
            <ErrorNotice error={list.error} retry={() => void list.refetch()} />
          ) : current === undefined ? (
            <NextCall
              project={project}
              queueId={queue_id}
              includeSkipped={includeSkipped}
              items={items}
              onFound={(call_id) => openCall(call_id, true)}
              onReviewSkipped={() => changeSearch({ skipped: 'on' })}
              onAddCalls={() => setAction('add calls')}
              queuesLink={queuesLink}
            />
          ) : claim.heldBy !== undefined ? (
            <EmptyState
              icon="lock"
              title={`${claim.heldBy} is reviewing this call`}
              actions={<Button onClick={goToNext}>Review another call</Button>}
            >
              Reserved until {claim.heldUntil === undefined ? 'they release it' : formatTime(claim.heldUntil)}
              , or longer while they keep it open. Each call needs only one reviewer.
            </EmptyState>
          ) : list.data !== undefined && item === undefined ? (
            <EmptyState
              icon="queue"
              title="This call is not in the queue"
              actions={<Button onClick={() => openCall(undefined)}>Go to next call</Button>}
            >
              It was removed, or the link belongs to another queue.
            </EmptyState>
          ) : (
            <CallDetail
              project={project}
              callId={current}
              endMs={undefined}
              tab={search.tab ?? 'feedback'}
              onTab={(tab) => changeSearch({ tab: tab ?? 'overview' })}
              queue={{ id: queue_id, scores: queue.data?.scores ?? [] }}
            />
          )}
        </div>
      </div>
      {nextId !== undefined && <PrefetchCall key={nextId} project={project} callId={nextId} />}
      <QueueDialogs
        project={project}
        queue={queue.data}
        action={action}
        isCallDone={item !== undefined && item.done_by !== null}
        onClose={() => setAction(undefined)}
        onRemoveCall={removeCall}
        onDeleted={toQueues}
      />
    </Page>
  )
}
