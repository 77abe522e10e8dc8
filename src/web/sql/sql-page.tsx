import { Button, Menu, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { useProject } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { Elapsed } from '../call/elapsed.tsx'
import { KeyCaps } from '../shortcuts/key-caps.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { useDraftText } from '../ui/draft-text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { formatDuration } from '../time/format.ts'
import type { EditorHandle } from './editor.tsx'
import { EXAMPLES } from './examples.ts'
import { ResultTable } from './result-table.tsx'
import { SavedQueriesMenu } from './saved-queries-menu.tsx'
import { SqlChart } from './sql-chart.tsx'
import { SqlError } from './sql-error.tsx'
import styles from './sql-page.module.css'
import { MAX_ROWS, type SqlResult, useSql } from './use-sql.ts'
import { ViewList } from './view-list.tsx'
import { useChangeSearch } from '../use-change-search.ts'

const Editor = lazyComponent(() => import('./editor.tsx'), 'Editor')

const ROUTE = '/$entity/$project/weave/sql'

/** The SQL page. The URL contains the last executed query, so that a link shows the same result. */
export function SqlPage() {
  const project = useProject()
  useDocumentTitle('SQL', project.project_id)
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const change = useChangeSearch('sql')
  const executed = search.query ?? EXAMPLES[0]?.query ?? ''
  // A query that is not executed yet survives a reload.
  const [draftKey] = useState(`sql ${project.project_id} ${executed}`)
  const [draft, setDraftState] = useDraftText(draftKey, executed)
  // Runs the latest input, even if React has not rendered it yet.
  const latestDraft = useRef(draft)
  const setDraft = (text: string): void => {
    latestDraft.current = text
    setDraftState(text)
  }
  const shownQuery = useRef(search.query)
  useEffect(() => {
    if (search.query !== undefined && search.query !== shownQuery.current) setDraft(search.query)
    shownQuery.current = search.query
  }, [search.query])
  const editor = useRef<EditorHandle>(null)
  const result = useSql(project, search.query)
  const isChart = search.view === 'chart'

  const run = (): void => {
    const query = latestDraft.current
    if (query.trim() === '') return
    if (query === search.query) void result.refetch()
    else change({ query, x: undefined, y: undefined })
  }
  const stop = (): void => void queryClient.cancelQueries({ queryKey: ['sql', project.project_id] })
  useShortcuts('SQL', [{ keys: 'mod+Enter', label: 'Run the query', run, whileTyping: true }])

  return (
    <Page>
      <PageHeader title="SQL" summary="read-only, over this project">
        <SavedQueriesMenu
          project={project}
          search={{ ...search, query: draft }}
          onNavigate={(next) => void navigate({ search: next })}
        />
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
                  change({
                    query: example.query,
                    view: example.view,
                    x: undefined,
                    y: undefined,
                    saved: undefined,
                  })
                }}
              >
                {example.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </PageHeader>
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.editorBox}>
            <Suspense fallback={<pre className={styles.draft}>{draft}</pre>}>
              <Editor text={draft} onText={setDraft} onRun={run} handle={editor} />
            </Suspense>
          </div>
          <div className={styles.bar}>
            <Button onClick={run} loading={result.isFetching} rightSection={<KeyCaps keys="mod+Enter" />}>
              Run
            </Button>
            {result.isFetching && (
              <>
                <Button variant="default" onClick={stop}>
                  Stop
                </Button>
                <ElapsedTime key={search.query} />
              </>
            )}
            <span className="faint" role="status">
              {result.isFetching || result.data === undefined || result.isError
                ? ''
                : statusText(result.data)}
            </span>
            <span className="grow" />
            {result.data !== undefined && result.data.rows.length > 0 && (
              <>
                <CopyButton
                  label="Copy rows"
                  text={() => (result.data === undefined ? '' : toTabSeparated(result.data))}
                />
                <SegmentedControl
                  aria-label="Result view"
                  value={isChart ? 'chart' : 'table'}
                  onChange={(value) => change({ view: value === 'chart' ? 'chart' : undefined })}
                  data={[
                    { value: 'table', label: 'Table' },
                    { value: 'chart', label: 'Chart' },
                  ]}
                />
              </>
            )}
          </div>
          <div className="scroll">
            {result.isError ? (
              <SqlError error={result.error} />
            ) : result.data === undefined ? (
              result.isFetching ? null : (
                <EmptyState icon="retrieval" title="Query this project">
                  Write a SELECT over the views of the project, or start with an example. Queries cannot
                  change data.
                </EmptyState>
              )
            ) : result.data.rows.length === 0 ? (
              <EmptyState icon="filter" title="No rows">
                The query returned no rows. Check the time range in its conditions.
              </EmptyState>
            ) : isChart ? (
              <SqlChart
                result={result.data}
                xName={search.x}
                yNames={search.y}
                onX={(x) => change({ x })}
                onY={(y) => change({ y })}
              />
            ) : (
              <ResultTable project={project} query={search.query ?? ''} result={result.data} />
            )}
          </div>
        </div>
        <ViewList onPick={(text) => editor.current?.insert(text)} />
      </div>
    </Page>
  )
}

/** Elapsed time of the running query. */
function ElapsedTime() {
  const [since] = useState(() => new Date().toISOString())
  return (
    <span className="faint">
      <Elapsed since={since} />
    </span>
  )
}

function statusText({ rows, isTruncated, ms }: SqlResult): string {
  const count = rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`
  return `${isTruncated ? `First ${formatCount(MAX_ROWS)} rows` : count} in ${formatDuration(ms)}`
}

/** Rows as tab-separated text for a spreadsheet. */
function toTabSeparated({ columns, rows }: SqlResult): string {
  const clean = (text: string): string => text.replaceAll(/[\t\n\r]+/g, ' ')
  return [columns.map(({ name }) => name), ...rows].map((row) => row.map(clean).join('\t')).join('\n')
}
