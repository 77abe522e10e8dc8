import { Button, Menu, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { KeyCaps } from '../shortcuts/key-caps.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty } from '../ui/empty.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { formatDuration } from '../time/format.ts'
import type { EditorHandle } from './editor.tsx'
import { EXAMPLES } from './examples.ts'
import { ResultTable } from './result-table.tsx'
import { SqlChart } from './sql-chart.tsx'
import { SqlFailure } from './sql-failure.tsx'
import styles from './sql-page.module.css'
import type { SqlSearch } from './sql-search.ts'
import { MOST_ROWS, type SqlResult, useSql } from './use-sql.ts'
import { ViewList } from './view-list.tsx'

const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

const HERE = '/$entity/$project/weave/sql'

/** Questions in SQL. The address has the query that was run, so that whoever opens it sees the same answer. */
export function SqlPage() {
  const project = useProject()
  useTitle('SQL', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = (next: { [Key in keyof SqlSearch]: SqlSearch[Key] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as SqlSearch })
  const [draft, showDraft] = useState(search.query ?? EXAMPLES[0]?.query ?? '')
  // What is run is what was typed last, drawn or not.
  const typed = useRef(draft)
  const setDraft = (text: string): void => {
    typed.current = text
    showDraft(text)
  }
  useEffect(() => {
    if (search.query !== undefined) setDraft(search.query)
  }, [search.query])
  const editor = useRef<EditorHandle>(null)
  const answer = useSql(project, search.query)
  const isDrawn = search.view === 'chart'

  const run = (): void => {
    const query = typed.current
    if (query.trim() === '') return
    if (query === search.query) void answer.refetch()
    else change({ query, x: undefined, y: undefined })
  }
  const stop = (): void => void queryClient.cancelQueries({ queryKey: ['sql', project.project_id] })
  useShortcuts('SQL', [{ keys: 'mod+Enter', label: 'Run the query', run, whileTyping: true }])

  return (
    <div className={styles.page}>
      <PageHead title="SQL" about="over this project, read-only">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="chevronDown" size={12} />}>
              Examples
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {EXAMPLES.map((example) => (
              <Menu.Item
                key={example.name}
                onClick={() => {
                  setDraft(example.query)
                  change({ query: example.query, view: example.view, x: undefined, y: undefined })
                }}
              >
                {example.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </PageHead>
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.editorBox}>
            <Suspense fallback={<pre className={styles.draft}>{draft}</pre>}>
              <Editor text={draft} onText={setDraft} onRun={run} handle={editor} />
            </Suspense>
          </div>
          <div className={styles.bar}>
            <Button onClick={run} loading={answer.isFetching} rightSection={<KeyCaps keys="mod+Enter" />}>
              Run
            </Button>
            {answer.isFetching && (
              <>
                <Button variant="default" onClick={stop}>
                  Stop
                </Button>
                <Running key={search.query} />
              </>
            )}
            <span className={styles.status} role="status">
              {answer.isFetching || answer.data === undefined || answer.isError
                ? ''
                : statusText(answer.data)}
            </span>
            <span className={styles.space} />
            {answer.data !== undefined && answer.data.rows.length > 0 && (
              <>
                <CopyButton
                  label="Copy the rows"
                  text={() => (answer.data === undefined ? '' : asTabs(answer.data))}
                />
                <SegmentedControl
                  aria-label="How the answer is shown"
                  value={isDrawn ? 'chart' : 'table'}
                  onChange={(value) => change({ view: value === 'chart' ? 'chart' : undefined })}
                  data={[
                    { value: 'table', label: 'Table' },
                    { value: 'chart', label: 'Chart' },
                  ]}
                />
              </>
            )}
          </div>
          <div className={styles.result}>
            {answer.isError ? (
              <SqlFailure error={answer.error} />
            ) : answer.data === undefined ? (
              answer.isFetching ? null : (
                <Empty icon="retrieval" title="Ask the project anything">
                  Write a SELECT over its views, or begin with one of the examples. Nothing that you write
                  here can change data.
                </Empty>
              )
            ) : answer.data.rows.length === 0 ? (
              <Empty icon="filter" title="No rows">
                The query ran and found nothing. Is the time in its conditions one with calls?
              </Empty>
            ) : isDrawn ? (
              <SqlChart
                result={answer.data}
                xName={search.x}
                yNames={search.y}
                onX={(x) => change({ x })}
                onY={(y) => change({ y })}
              />
            ) : (
              <ResultTable project={project} query={search.query ?? ''} result={answer.data} />
            )}
          </div>
        </div>
        <ViewList onPick={(text) => editor.current?.insert(text)} />
      </div>
    </div>
  )
}

/** How long it has been running. */
function Running() {
  const [since] = useState(() => new Date().toISOString())
  return (
    <span className={styles.status}>
      <Elapsed since={since} />
    </span>
  )
}

function statusText({ rows, isCut, ms }: SqlResult): string {
  const count = rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`
  return `${isCut ? `The first ${formatCount(MOST_ROWS)} rows` : count} in ${formatDuration(ms)}`
}

/** For a spreadsheet. */
function asTabs({ columns, rows }: SqlResult): string {
  const clean = (text: string): string => text.replaceAll(/[\t\n\r]+/g, ' ')
  return [columns.map(({ name }) => name), ...rows].map((row) => row.map(clean).join('\t')).join('\n')
}
