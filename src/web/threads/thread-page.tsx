import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { MarkdownToggle } from '../markdown/markdown-toggle.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { printFilter } from '../filter/print.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import styles from './thread-page.module.css'
import { Turn } from './turn.tsx'
import { useTurns } from './use-turns.ts'

/** A thread as a conversation, turn by turn, with a link to each trace. */
export function ThreadPage() {
  const project = useProject()
  const { thread_id } = useParams({ from: '/$entity/$project/weave/threads/$thread_id' })
  useDocumentTitle(thread_id, 'Threads', project.project_id)
  const list = useTurns(project, thread_id)
  const turns = list.data?.pages.flatMap((page) => [...page.turns]) ?? []
  const errorCount = turns.filter(({ status }) => status === 'error').length
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
    <Page>
      <PageHeader
        title={<span className="isolate">{visibleText(thread_id)}</span>}
        summary={
          list.isSuccess
            ? `${formatCount(turns.length)}${list.hasNextPage ? ' and more' : ''} turns${errorCount === 0 ? '' : `, ${errorCount} with errors`}`
            : ''
        }
      >
        <MarkdownToggle />
        <CopyButton text={thread_id} label="Copy thread ID" />
        <LinkButton
          variant="default"
          to="/$entity/$project/weave/traces"
          params={projectParams(project)}
          search={{ filter, range: 'all', show: 'calls' }}
        >
          View all calls
        </LinkButton>
      </PageHeader>
      <div className={styles.body}>
        {list.isError && turns.length === 0 ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.isSuccess && turns.length === 0 ? (
          <EmptyState
            icon="threads"
            title="Thread not found"
            actions={
              <LinkButton to="/$entity/$project/weave/threads" params={projectParams(project)} search={{}}>
                All threads
              </LinkButton>
            }
          >
            No call in this project has the thread ID “{thread_id}”.
          </EmptyState>
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
    </Page>
  )
}
