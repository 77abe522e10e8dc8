import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { CallDetail } from '../call/call-detail.tsx'
import { Undone } from '../annotation/undo-toast.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { AddByFilter } from './add-by-filter.tsx'
import { DeleteQueue } from './delete-queue.tsx'
import { EditQueue } from './edit-queue.tsx'
import { FindNext } from './find-next.tsx'
import { ItemRail } from './item-rail.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { ReadAhead } from './read-ahead.tsx'
import { neighbour, nextOpen } from './queue-order.ts'
import styles from './queue-page.module.css'
import type { QueueSearch } from './queue-search.ts'
import { TakeOut } from './take-out.tsx'
import { useClaim } from './use-claim.ts'
import { type ItemState, useQueueItems } from './use-queue-items.ts'
import { useQueue } from './use-queues.ts'

const HERE = '/$entity/$project/weave/queues/$queue_id'

/** One call of a queue after the other. Which one is in the address; without one, where somebody was. */
export function QueuePage() {
  const project = useProject()
  const { queue_id } = useParams({ from: HERE })
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const me = useSession()?.user_id
  const queue = useQueue(project, queue_id)
  const { list, settle, remove } = useQueueItems(project, queue_id)
  const [asked, setAsked] = useState<'fill' | 'edit' | 'take out' | 'delete'>()
  const items = list.data ?? []
  const current = search.item
  const item = items.find(({ call_id }) => call_id === current)
  const at = item === undefined ? -1 : items.indexOf(item)
  const withSkipped = search.skipped === 'on'
  useTitle(queue.data?.name ?? 'Queue', project.project_id)

  const go = (call_id: string | undefined, replace = false): void => {
    void navigate({
      params: { entity: project.entity, project: project.project, queue_id },
      search: (before: QueueSearch) => {
        const { item: _, ...rest } = before
        return call_id === undefined ? rest : { ...rest, item: call_id }
      },
      replace,
    })
  }
  const change = (next: Partial<QueueSearch>): void => {
    void navigate({
      params: { entity: project.entity, project: project.project, queue_id },
      search: (before: QueueSearch) => ({ ...before, ...next }),
      replace: true,
    })
  }

  // What is done is not kept from anybody.
  const claim = useClaim(project, queue_id, item?.done_by === null ? item.call_id : undefined)

  // What comes next is read while this one is looked at.
  const following = current === undefined ? undefined : nextOpen(items, current, me, withSkipped)?.call_id

  // Somebody was faster at the one that the page went to by itself: on to another, without a question.
  const wentTo = useRef<string>(undefined)
  useEffect(() => {
    if (claim.heldBy !== undefined && wentTo.current === current) goOn()
  }, [claim.heldBy])
  const goOn = (): void => {
    wentTo.current = following
    go(following)
  }

  const finish = (state: ItemState): void => {
    if (item === undefined || claim.heldBy !== undefined) return
    claim.settle()
    if (state !== 'open' && following !== undefined) {
      settle.mutate({ call_id: item.call_id, state })
      goOn()
      return
    }
    // The server must know of this one before it is asked whether there is another.
    settle.mutate({ call_id: item.call_id, state }, { onSuccess: () => state !== 'open' && go(undefined) })
  }
  const takeOut = (): void => {
    setAsked(undefined)
    if (item === undefined) return
    claim.settle()
    if (following !== undefined) {
      remove.mutate(item.call_id)
      goOn()
      return
    }
    remove.mutate(item.call_id, { onSuccess: () => go(undefined) })
  }
  const done = (): void => {
    if (item === undefined) return
    if (item.done_by === null) finish('done')
    else goOn()
  }
  const step = (by: 1 | -1): void => {
    const other = current === undefined ? undefined : neighbour(items, current, by)
    if (other !== undefined) go(other.call_id)
  }
  const toQueues = { entity: project.entity, project: project.project }
  useShortcuts('Queue', [
    { keys: 'd mod+Enter', label: 'Judged: on to the next call', run: done },
    { keys: 's', label: 'Skip the call', run: () => finish('skipped') },
    {
      keys: 'x',
      label: 'Take the call out of the queue',
      run: () => item !== undefined && claim.heldBy === undefined && setAsked('take out'),
    },
    { keys: 'j', label: 'Next call, as it is', run: () => step(1) },
    { keys: 'k', label: 'Previous call', run: () => step(-1) },
    {
      keys: 'Escape',
      label: 'To all queues',
      run: () => void navigate({ to: '/$entity/$project/weave/queues', params: toQueues }),
    },
  ])

  const queuesLink = (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/$entity/$project/weave/queues" params={toQueues} />}
    >
      All queues
    </Button>
  )
  if (queue.isError) return <Failure error={queue.error} retry={() => void queue.refetch()} />
  const counts = {
    total: items.length,
    done: items.filter(({ done_by }) => done_by !== null).length,
    skipped: items.filter(
      ({ done_by, skipped_by }) => done_by === null && me !== undefined && skipped_by.includes(me),
    ).length,
  }
  const failure = settle.error ?? remove.error
  return (
    <div className={styles.page}>
      <PageHead
        title={<span className="foreign">{visibleText(queue.data?.name ?? 'Queue')}</span>}
        about={list.data === undefined ? '' : <ProgressBar {...counts} />}
      >
        <Tooltip label="Add calls by a filter">
          <ActionIcon aria-label="Add calls by a filter" onClick={() => setAsked('fill')}>
            <Icon name="plus" size={14} />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label="More about the queue">
              <Icon name="more" size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={() => setAsked('edit')}>
              Edit the queue
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="minus" size={14} />}
              rightSection={<kbd>X</kbd>}
              disabled={item === undefined || claim.heldBy !== undefined}
              onClick={() => setAsked('take out')}
            >
              Take this call out
            </Menu.Item>
            <Menu.Item
              color="madder"
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => setAsked('delete')}
            >
              Delete the queue
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Tooltip label="To all queues (Esc)">
          <ActionIcon
            aria-label="To all queues"
            onClick={() => void navigate({ to: '/$entity/$project/weave/queues', params: toQueues })}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </Tooltip>
      </PageHead>
      <div className={styles.tools}>
        <span className={`${styles.about} foreign`}>{visibleText(queue.data?.description ?? '')}</span>
        {item !== undefined && (
          <div className={styles.turns} role="toolbar" aria-label="This call">
            <span className={styles.place}>
              {at + 1} of {items.length}
            </span>
            <Tooltip label="Previous call (K)">
              <ActionIcon
                variant="default"
                aria-label="Previous call"
                disabled={at === 0}
                onClick={() => step(-1)}
              >
                <Icon name="chevronUp" size={14} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Next call, as it is (J)">
              <ActionIcon
                variant="default"
                aria-label="Next call"
                disabled={at === items.length - 1}
                onClick={() => step(1)}
              >
                <Icon name="chevronDown" size={14} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Open the trace">
              <ActionIcon
                component="div"
                variant="default"
                aria-label="Open the trace"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$entity/$project/weave/calls/$call_id"
                    params={{ ...toQueues, call_id: item.call_id }}
                    search={{}}
                  />
                )}
              >
                <Icon name="expand" size={14} />
              </ActionIcon>
            </Tooltip>
            {item.done_by === null ? (
              <Button
                variant="default"
                disabled={claim.heldBy !== undefined}
                onClick={() => finish('skipped')}
                rightSection={<kbd>S</kbd>}
              >
                Skip
              </Button>
            ) : (
              <Button variant="default" onClick={() => finish('open')}>
                Open again
              </Button>
            )}
            <Button
              disabled={claim.heldBy !== undefined}
              onClick={done}
              rightSection={<kbd className={styles.key}>D</kbd>}
            >
              {item.done_by === null ? 'Done' : 'Next to judge'}
            </Button>
          </div>
        )}
      </div>
      {failure !== null && (
        <div className={styles.failure}>
          <Undone
            error={failure}
            onClose={() => {
              settle.reset()
              remove.reset()
            }}
          />
        </div>
      )}
      {item !== undefined && item.done_by !== null && (
        <p className={styles.judged} role="status">
          <Icon name="check" size={13} /> Judged by <b className="foreign">{visibleText(item.done_by)}</b>
          {item.done_at !== null && <time dateTime={item.done_at}>{formatTime(item.done_at)}</time>}
        </p>
      )}
      <div className={styles.content}>
        {items.length > 0 && <ItemRail items={items} current={current} me={me} onOpen={(id) => go(id)} />}
        <div className={styles.call}>
          {list.isError && list.data === undefined ? (
            <Failure error={list.error} retry={() => void list.refetch()} />
          ) : current === undefined ? (
            <FindNext
              project={project}
              queueId={queue_id}
              withSkipped={withSkipped}
              items={items}
              onFound={(call_id) => go(call_id, true)}
              onSkipped={() => change({ skipped: 'on' })}
              onFill={() => setAsked('fill')}
              toQueues={queuesLink}
            />
          ) : claim.heldBy !== undefined ? (
            <Empty
              icon="lock"
              title={`${claim.heldBy} has this call open`}
              actions={<Button onClick={goOn}>Another one</Button>}
            >
              Until {claim.heldUntil === undefined ? 'they let go of it' : formatTime(claim.heldUntil)}, or
              longer if they stay. Two people need not judge the same call.
            </Empty>
          ) : list.data !== undefined && item === undefined ? (
            <Empty
              icon="queue"
              title="This call is not in the queue"
              actions={<Button onClick={() => go(undefined)}>To the next one</Button>}
            >
              It was taken out, or the link is of another queue.
            </Empty>
          ) : (
            <CallDetail
              project={project}
              callId={current}
              endMs={undefined}
              tab={search.tab ?? 'feedback'}
              onTab={(tab) => change({ tab: tab ?? 'overview' })}
              queue={{ id: queue_id, scores: queue.data?.scores ?? [] }}
            />
          )}
        </div>
      </div>
      {following !== undefined && <ReadAhead key={following} project={project} callId={following} />}
      <AddByFilter
        project={project}
        queue={asked === 'fill' ? queue.data : undefined}
        onClose={() => setAsked(undefined)}
      />
      <EditQueue
        project={project}
        queue={asked === 'edit' ? queue.data : undefined}
        onClose={() => setAsked(undefined)}
      />
      <TakeOut
        isOpen={asked === 'take out'}
        isJudged={item !== undefined && item.done_by !== null}
        onClose={() => setAsked(undefined)}
        onTakeOut={takeOut}
      />
      <DeleteQueue
        project={project}
        queue={asked === 'delete' ? queue.data : undefined}
        onClose={() => setAsked(undefined)}
        onDeleted={() => void navigate({ to: '/$entity/$project/weave/queues', params: toQueues })}
      />
    </div>
  )
}
