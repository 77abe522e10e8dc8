import { Button, SegmentedControl } from '@mantine/core'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { treeMoves, useCollapsed } from '../ui/tree-rows.ts'
import { useDocumentTitle } from '../ui/use-title.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { AddCall, CallSuggestions } from './add-call.tsx'
import { alignTrees } from './tree-alignment.ts'
import { CompareDetail } from './compare-detail.tsx'
import styles from './compare-page.module.css'
import { type ChangeCounts, compareRows, countChanges, filterDifferent } from './compare-rows.ts'
import { columnLetter, MAX_COMPARED, parseIds } from './compared-ids.ts'
import { CompareTree } from './compare-tree.tsx'
import type { ComparedTree } from './compared-call.ts'
import { MetricsTable } from './metrics-table.tsx'
import { useComparedTrees } from './use-compared-trees.ts'
import type { Search, SearchChange } from '../search-state.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/compare'

/** Compares calls or whole traces side by side: metrics, call tree, inputs and output. */
export function ComparePage() {
  const project = useProject()
  useDocumentTitle('Compare', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const router = useRouter()
  const ids = useMemo(() => parseIds(search.calls), [search.calls])
  const { trees, failure } = useComparedTrees(project, ids)
  const [isAdding, setAdding] = useState(false)
  const change = useChangeSearch('compare', { replace: true })
  const setIds = (next: readonly string[]): void => {
    const first = ids[0] === next[0]
    change({ calls: next.join(','), with: undefined, at: first ? search.at : undefined })
  }
  const back = (): void => {
    if (router.history.canGoBack()) router.history.back()
    else void navigate({ to: '/$entity/$project/weave/traces', params: projectParams(project), search: {} })
  }
  useShortcuts('Compare', [{ keys: 'Escape', label: 'Back', run: back }])

  const first = trees[0]
  return (
    <Page isSurface>
      <PageHeader title="Compare" summary={ids.length > 1 ? `${ids.length} calls · Baseline: A` : undefined}>
        {first !== undefined && ids.length < MAX_COMPARED && (
          <ActionButton variant="default" icon="plus" onClick={() => setAdding(true)}>
            Add call
          </ActionButton>
        )}
        <IconButton icon="close" label="Back" tooltip="Back (Esc)" onClick={back} />
      </PageHeader>
      {ids.length === 0 ? (
        <EmptyState
          icon="compare"
          title="Nothing to compare yet"
          actions={
            <LinkButton to="/$entity/$project/weave/traces" params={projectParams(project)} search={{}}>
              View traces
            </LinkButton>
          }
        >
          Select two or more calls in the traces list (X), then compare them (C).
        </EmptyState>
      ) : failure !== undefined ? (
        <>
          <ErrorNotice error={failure.error} retry={failure.retry} />
          <div className={styles.without}>
            <Button variant="default" onClick={() => setIds(ids.filter((_, i) => i !== failure.index))}>
              Compare without {columnLetter(failure.index)}
            </Button>
          </div>
        </>
      ) : (
        <>
          {isLoaded(trees) && (
            <MetricsTable
              project={project}
              label="Compared calls"
              calls={trees.map((tree) => tree.root.item)}
              sizes={trees.map((tree) => tree.size)}
              onRemove={(n) => setIds(ids.filter((_, i) => i !== n))}
              onSetBaseline={(n) => setIds([ids[n] ?? '', ...ids.filter((_, i) => i !== n)])}
            />
          )}
          {isLoaded(trees) ? (
            trees.length === 1 && first !== undefined ? (
              <section className={styles.suggestions}>
                <h2>Compare with</h2>
                <CallSuggestions
                  project={project}
                  reference={first.root.item}
                  excludedIds={ids}
                  onAdd={(id) => setIds([...ids, id])}
                />
              </section>
            ) : (
              <Compared ids={ids} trees={trees} search={search} onChange={change} />
            )
          ) : (
            <p className="loading" role="status">
              Loading calls…
            </p>
          )}
        </>
      )}
      {isAdding && first !== undefined && (
        <AddCall
          project={project}
          reference={first.root.item}
          excludedIds={ids}
          onAdd={(id) => {
            setAdding(false)
            setIds([...ids, id])
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

function isLoaded(trees: readonly (ComparedTree | undefined)[]): trees is readonly ComparedTree[] {
  return trees.every((tree) => tree !== undefined)
}

interface ComparedProps {
  readonly ids: readonly string[]
  readonly trees: readonly ComparedTree[]
  readonly search: Search<'compare'>
  readonly onChange: (next: SearchChange<'compare'>) => void
}

const EMPTY: ReadonlySet<string> = new Set()

function Compared({ ids, trees, search, onChange }: ComparedProps) {
  const project = useProject()
  const count = trees.length
  const root = useMemo(() => alignTrees(trees.map((tree) => tree.root)), [trees])
  const { collapsed, toggle } = useCollapsed()
  const includesVolatile = search.volatile === 'on'
  const all = useMemo(
    () => (root === undefined ? [] : compareRows(root, count, EMPTY, includesVolatile)),
    [root, count, includesVolatile],
  )
  const isDifferencesOnly = search.show === 'differences'
  const rows = useMemo(() => {
    const open = root === undefined ? [] : compareRows(root, count, collapsed, includesVolatile)
    return isDifferencesOnly ? filterDifferent(open) : open
  }, [root, count, collapsed, isDifferencesOnly, includesVolatile])
  const comparedIndex = Math.max(1, ids.indexOf(search.with ?? ''))
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.calls.some((call) => call?.item.id === search.at)),
  )
  const selected = rows[at]
  const changes = useMemo(
    () => countChanges(all, comparedIndex, includesVolatile),
    [all, comparedIndex, includesVolatile],
  )
  const layout = search.layout === 'unified' ? 'unified' : 'split'

  const select = (id: string): void => onChange({ at: id === rows[0]?.id ? undefined : id })
  const moves = treeMoves(rows, selected?.id ?? '', select, toggle)
  const moveToDifference = (step: 1 | -1): void => {
    for (let i = at + step; i >= 0 && i < rows.length; i += step) {
      const row = rows[i]
      if (row?.isDifferent === true) return select(row.id)
    }
  }
  useShortcuts('Compare', [
    { keys: 'j ArrowDown', label: 'Next call', run: () => moves.move(1) },
    { keys: 'k ArrowUp', label: 'Previous call', run: () => moves.move(-1) },
    { keys: 'ArrowLeft', label: 'Collapse, or go to parent', run: moves.collapseOrSelectParent },
    { keys: 'ArrowRight', label: 'Expand', run: moves.expand },
    { keys: 'd', label: 'Next difference', run: () => moveToDifference(1) },
    { keys: 'D', label: 'Previous difference', run: () => moveToDifference(-1) },
    {
      keys: 's',
      label: 'Toggle side by side / unified',
      run: () => onChange({ layout: layout === 'split' ? 'unified' : undefined }),
    },
    {
      keys: 'o',
      label: 'Toggle differences only',
      run: () => onChange({ show: isDifferencesOnly ? undefined : 'differences' }),
    },
  ])
  return (
    <div className={styles.split}>
      <div className={styles.left}>
        <div className={styles.bar}>
          <span className={styles.summary} role="status">
            {summaryText(
              changes,
              columnLetter(comparedIndex),
              trees.some((tree) => tree.isTruncated),
            )}
          </span>
          <SegmentedControl
            aria-label="Shown calls"
            value={isDifferencesOnly ? 'differences' : 'all'}
            onChange={(value) => onChange({ show: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: 'All' },
              { value: 'differences', label: 'Differences' },
            ]}
          />
        </div>
        <CompareTree
          rows={rows}
          count={count}
          includesVolatile={includesVolatile}
          selected={selected?.id ?? ''}
          onSelect={select}
          onToggle={toggle}
        />
      </div>
      <div className={styles.right}>
        {selected !== undefined && (
          <CompareDetail
            project={project}
            row={selected}
            count={count}
            comparedIndex={comparedIndex}
            layout={layout}
            includesVolatile={includesVolatile}
            onIncludeVolatile={(isOn) => onChange({ volatile: isOn ? 'on' : undefined })}
            onCompareWith={(n) => onChange({ with: n === 1 ? undefined : ids[n] })}
            onLayout={(next) => onChange({ layout: next === 'split' ? undefined : next })}
          />
        )}
      </div>
    </div>
  )
}

function summaryText(changes: ChangeCounts, letter: string, isTruncated: boolean): string {
  const parts = [
    changes.added > 0 && `${formatCount(changes.added)} added`,
    changes.removed > 0 && `${formatCount(changes.removed)} removed`,
    changes.moved > 0 && `${formatCount(changes.moved)} moved`,
    changes.changed > 0 && `${formatCount(changes.changed)} changed`,
  ].filter((part) => part !== false)
  const suffix = isTruncated ? ' (first 10,000 calls only)' : ''
  return `A → ${letter}: ${parts.length === 0 ? 'no differences' : parts.join(', ')}${suffix}`
}
