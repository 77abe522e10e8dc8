import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { inPath, useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AddCall, Offers } from './add-call.tsx'
import { alignTrees } from './align.ts'
import { CompareDetail } from './compare-detail.tsx'
import styles from './compare-page.module.css'
import { compareRows, countPlaces, onlyDifferent, rowId } from './compare-rows.ts'
import { type CompareSearch, letterOf, MOST_CALLS, readIds } from './compare-search.ts'
import { CompareTree } from './compare-tree.tsx'
import type { ComparedTree } from './compared-call.ts'
import { FactsTable } from './facts-table.tsx'
import { useTrees } from './use-trees.ts'

const HERE = '/$entity/$project/weave/compare'

type Change = { [Key in keyof CompareSearch]: CompareSearch[Key] | undefined }

/** Calls or whole traces side by side: what they came to, how they went, and what was said. */
export function ComparePage() {
  const project = useProject()
  useTitle('Compare', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const router = useRouter()
  const ids = useMemo(() => readIds(search.calls), [search.calls])
  const { trees, failure } = useTrees(project, ids)
  const [isAdding, setAdding] = useState(false)
  const change = useCallback(
    (next: Change) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as CompareSearch, replace: true }),
    [navigate],
  )
  const setIds = (next: readonly string[]): void => {
    const first = ids[0] === next[0]
    change({ calls: next.join(','), with: undefined, at: first ? search.at : undefined })
  }
  const back = (): void => {
    if (router.history.canGoBack()) router.history.back()
    else void navigate({ to: '/$entity/$project/weave/traces', params: inPath(project), search: {} })
  }
  useShortcuts('Compare', [{ keys: 'Escape', label: 'Back', run: back }])

  const first = trees[0]
  return (
    <div className={styles.page}>
      <PageHead title="Compare" about={ids.length > 1 ? `${ids.length} calls, measured by A` : undefined}>
        {first !== undefined && ids.length < MOST_CALLS && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setAdding(true)}
          >
            Add a call
          </Button>
        )}
        <Tooltip label="Back (Esc)">
          <ActionIcon aria-label="Back" onClick={back}>
            <Icon name="close" size={14} />
          </ActionIcon>
        </Tooltip>
      </PageHead>
      {ids.length === 0 ? (
        <Empty
          icon="compare"
          title="Nothing to compare yet"
          actions={
            <Button
              className={styles.link}
              renderRoot={(props) => (
                <Link {...props} to="/$entity/$project/weave/traces" params={inPath(project)} search={{}} />
              )}
            >
              To the traces
            </Button>
          }
        >
          Select two or more calls in the list of traces (X) and compare them (C).
        </Empty>
      ) : failure !== undefined ? (
        <>
          <Failure error={failure.error} retry={failure.retry} />
          <div className={styles.without}>
            <Button variant="default" onClick={() => setIds(ids.filter((_, i) => i !== failure.n))}>
              Compare without {letterOf(failure.n)}
            </Button>
          </div>
        </>
      ) : (
        <>
          {isWhole(trees) && (
            <FactsTable
              project={project}
              label="The calls"
              calls={trees.map((tree) => tree.root.facts)}
              sizes={trees.map((tree) => tree.size)}
              onRemove={(n) => setIds(ids.filter((_, i) => i !== n))}
              onFirst={(n) => setIds([ids[n] ?? '', ...ids.filter((_, i) => i !== n)])}
            />
          )}
          {isWhole(trees) ? (
            trees.length === 1 && first !== undefined ? (
              <section className={styles.offers}>
                <h2>Compare it with</h2>
                <Offers
                  project={project}
                  like={first.root.facts}
                  known={ids}
                  onAdd={(id) => setIds([...ids, id])}
                />
              </section>
            ) : (
              <Compared ids={ids} trees={trees} search={search} onChange={change} />
            )
          ) : (
            <p className={styles.waiting} role="status">
              Reading the calls…
            </p>
          )}
        </>
      )}
      {isAdding && first !== undefined && (
        <AddCall
          project={project}
          like={first.root.facts}
          known={ids}
          onAdd={(id) => {
            setAdding(false)
            setIds([...ids, id])
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}

function isWhole(trees: readonly (ComparedTree | undefined)[]): trees is readonly ComparedTree[] {
  return trees.every((tree) => tree !== undefined)
}

interface ComparedProps {
  readonly ids: readonly string[]
  readonly trees: readonly ComparedTree[]
  readonly search: CompareSearch
  readonly onChange: (next: Change) => void
}

const NOTHING: ReadonlySet<string> = new Set()

function Compared({ ids, trees, search, onChange }: ComparedProps) {
  const project = useProject()
  const count = trees.length
  const root = useMemo(() => alignTrees(trees.map((tree) => tree.root)), [trees])
  const [folded, setFolded] = useState(NOTHING)
  const all = useMemo(() => (root === undefined ? [] : compareRows(root, count, NOTHING)), [root, count])
  const isNarrow = search.show === 'differences'
  const rows = useMemo(() => {
    const open = root === undefined ? [] : compareRows(root, count, folded)
    return isNarrow ? onlyDifferent(open) : open
  }, [root, count, folded, isNarrow])
  const beside = Math.max(1, ids.indexOf(search.with ?? ''))
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.calls.some((call) => call?.facts.id === search.at)),
  )
  const chosen = rows[at]
  const places = useMemo(() => countPlaces(all, beside), [all, beside])
  const layout = search.layout === 'unified' ? 'unified' : 'split'

  const choose = (id: string | undefined): void => onChange({ at: id === rows[0]?.id ? undefined : id })
  const move = (step: number): void => choose(rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.id)
  const moveToDifference = (step: 1 | -1): void => {
    for (let i = at + step; i >= 0 && i < rows.length; i += step) {
      if (rows[i]?.isDifferent !== true) continue
      choose(rows[i]?.id)
      return
    }
  }
  const toggle = (id: string, isFolded = !folded.has(id)): void => {
    const next = new Set(folded)
    if (isFolded) next.add(id)
    else next.delete(id)
    setFolded(next)
  }
  const fold = (isFolded: boolean): void => {
    if (chosen === undefined) return
    const { parent, children } = chosen.node
    if (isFolded && (children.length === 0 || chosen.isCollapsed)) choose(parent && rowId(parent))
    else toggle(chosen.id, isFolded)
  }
  useShortcuts('Compare', [
    { keys: 'j ArrowDown', label: 'Next call', run: () => move(1) },
    { keys: 'k ArrowUp', label: 'Previous call', run: () => move(-1) },
    { keys: 'ArrowLeft', label: 'Fold, or go to the caller', run: () => fold(true) },
    { keys: 'ArrowRight', label: 'Unfold', run: () => fold(false) },
    { keys: 'd', label: 'Next difference', run: () => moveToDifference(1) },
    { keys: 'D', label: 'Previous difference', run: () => moveToDifference(-1) },
    {
      keys: 's',
      label: 'Side by side, or one column',
      run: () => onChange({ layout: layout === 'split' ? 'unified' : undefined }),
    },
    {
      keys: 'o',
      label: 'Only differences, or everything',
      run: () => onChange({ show: isNarrow ? undefined : 'differences' }),
    },
  ])
  return (
    <div className={styles.split}>
      <div className={styles.left}>
        <div className={styles.bar}>
          <span className={styles.summary} role="status">
            {summaryText(
              places,
              letterOf(beside),
              trees.some((tree) => tree.isCut),
            )}
          </span>
          <SegmentedControl
            aria-label="Which calls are shown"
            value={isNarrow ? 'differences' : 'all'}
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
          selected={chosen?.id ?? ''}
          onSelect={choose}
          onToggle={(id) => toggle(id)}
        />
      </div>
      <div className={styles.right}>
        {chosen !== undefined && (
          <CompareDetail
            project={project}
            row={chosen}
            count={count}
            beside={beside}
            layout={layout}
            onBeside={(n) => onChange({ with: n === 1 ? undefined : ids[n] })}
            onLayout={(next) => onChange({ layout: next === 'split' ? undefined : next })}
          />
        )}
      </div>
    </div>
  )
}

function summaryText(places: ReturnType<typeof countPlaces>, letter: string, isCut: boolean): string {
  const parts = [
    places.added > 0 && `${formatCount(places.added)} added`,
    places.removed > 0 && `${formatCount(places.removed)} removed`,
    places.moved > 0 && `${formatCount(places.moved)} moved`,
    places.other > 0 && `${formatCount(places.other)} with other text`,
  ].filter((part) => part !== false)
  const cut = isCut ? ' (of the first 10,000 calls)' : ''
  return `A → ${letter}: ${parts.length === 0 ? 'no difference' : parts.join(', ')}${cut}`
}
