import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { printFilter } from '../filter/print.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './thread-page.module.css'
import { Turn } from './turn.tsx'
import { useTurns } from './use-turns.ts'

/** A thread as the conversation that it was, each turn with the way to its trace. */
export function ThreadPage() {
  const project = useProject()
  const { thread_id } = useParams({ from: '/$entity/$project/weave/threads/$thread_id' })
  useTitle(thread_id, 'Threads', project.project_id)
  const list = useTurns(project, thread_id)
  const turns = list.data?.pages.flatMap((page) => [...page.turns]) ?? []
  const failed = turns.filter(({ status }) => status === 'error').length
  const body = useRef<HTMLOListElement>(null)
  const move = (step: number): void => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-turn-link]') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    const next = links[Math.max(0, Math.min(links.length - 1, at === -1 ? 0 : at + step))]
    next?.focus()
    next?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts('Thread', [
    { keys: 'j', label: 'Next turn', run: () => move(1) },
    { keys: 'k', label: 'Previous turn', run: () => move(-1) },
  ])
  const filter = printFilter({
    kind: 'compare',
    field: 'thread',
    operator: '=',
    value: { kind: 'text', text: thread_id },
  })
  return (
    <div className={styles.page}>
      <PageHead
        title={<span className="foreign">{visibleText(thread_id)}</span>}
        about={
          list.isSuccess
            ? `${formatCount(turns.length)}${list.hasNextPage ? ' and more' : ''} turns${failed === 0 ? '' : `, ${failed} failed`}`
            : ''
        }
      >
        <CopyButton text={thread_id} label="Copy the id of the thread" />
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/$entity/$project/weave/traces"
              params={inPath(project)}
              search={{ filter, range: 'all', show: 'calls' }}
            />
          )}
        >
          All of its calls
        </Button>
      </PageHead>
      <div className={styles.body}>
        {list.isError && turns.length === 0 ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && turns.length === 0 ? (
          <Empty
            icon="threads"
            title="There is no such thread"
            actions={
              <Button
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$entity/$project/weave/threads"
                    params={inPath(project)}
                    search={{}}
                  />
                )}
              >
                All threads
              </Button>
            }
          >
            No call of this project belongs to “{thread_id}”.
          </Empty>
        ) : (
          <ol ref={body} className={styles.turns} aria-label="Turns">
            {turns.map((turn, i) => (
              <Turn key={turn.id} project={project} turn={turn} before={turns[i - 1]} />
            ))}
          </ol>
        )}
        {list.hasNextPage && (
          <div className={styles.more}>
            <Button
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show later turns
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
