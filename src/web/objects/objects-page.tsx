import { Button, TextInput } from '@mantine/core'
import { Link, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { LinkButton } from '../ui/link-button.tsx'
import {
  findKind,
  objectKind,
  type KindName,
  OBJECT_KINDS,
  type ObjectVersion,
  kindSegment,
} from './object-kind.ts'
import { objectColumns } from './object-columns.tsx'
import styles from './objects-page.module.css'
import { useObjectList } from './use-objects.ts'
import type { Search } from '../search-state.ts'

/** The list of published objects with their latest version, of one kind or of all. */
export function ObjectsPage() {
  const project = useProject()
  const search = useSearch({ strict: false }) as Search<'objects'>
  const params = useParams({ strict: false }) as { readonly kind?: string }
  const lastSegment = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  const navigate = useNavigate()
  const kind = findKind(search.kind) ?? findKind(params.kind) ?? findKind(lastSegment)
  useDocumentTitle(kind?.label ?? 'Objects', project.project_id)
  const list = useObjectList(project, kind)
  const loaded = useMemo(() => list.data?.pages.flatMap(({ objs }) => objs) ?? [], [list.data])
  const columns = useMemo(() => objectColumns(project), [project])
  const nameFilter = (search.name ?? '').toLowerCase()
  const shown = useMemo(
    () =>
      nameFilter === ''
        ? loaded
        : loaded.filter(({ object_id }) => object_id.toLowerCase().includes(nameFilter)),
    [loaded, nameFilter],
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  // The name filter runs in the browser, so all pages are loaded.
  useEffect(() => {
    if (nameFilter !== '' && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [nameFilter, hasNextPage, isFetchingNextPage])

  const [cursor, setCursor] = useState(-1)
  const filterInput = useRef<HTMLInputElement>(null)
  const open = (version: ObjectVersion | undefined): void => {
    if (version === undefined) return
    void navigate({ to: VERSION_ROUTE, params: versionParams(project, version), search: {} })
  }
  const moveCursor = (step: number): void => setCursor(Math.max(0, Math.min(shown.length - 1, cursor + step)))
  useShortcuts('Objects', [
    { keys: 'j', label: 'Next', run: () => moveCursor(1) },
    { keys: 'k', label: 'Previous', run: () => moveCursor(-1) },
    { keys: 'Enter', label: 'Open', run: () => open(shown[cursor]) },
    { keys: '/', label: 'Filter by name', run: () => filterInput.current?.focus() },
  ])

  const setName = (name: string): void => {
    setCursor(-1)
    const next = { ...search, name: name === '' ? undefined : name } as Search<'objects'>
    void navigate({ to: '.', search: next, replace: true })
  }
  return (
    <Page>
      <PageHeader title={kind?.label ?? 'Objects'} summary={countText(list, shown.length)}>
        {(kind === undefined || kind.name === 'datasets') && (
          <WriteOnly>
            <LinkButton
              variant={kind === undefined ? 'default' : 'filled'}
              leftSection={<Icon name="upload" size={14} />}
              to="/$entity/$project/weave/new-dataset"
              params={{ entity: project.entity, project: project.project }}
              search={{}}
            >
              New dataset
            </LinkButton>
          </WriteOnly>
        )}
      </PageHeader>
      <div className={styles.tools}>
        <KindTabs current={kind?.name} name={search.name} />
        <TextInput
          ref={filterInput}
          className={styles.name}
          aria-label="Filter by name"
          placeholder="Filter by name"
          leftSection={<Icon name="search" size={14} />}
          value={search.name ?? ''}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {list.isError && loaded.length === 0 ? (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      ) : list.isSuccess && shown.length === 0 && !hasNextPage ? (
        <NoObjects kind={kind?.name} name={search.name} onClear={() => setName('')} />
      ) : (
        <DataGrid
          role="table"
          label="Objects"
          regionLabel="List of objects"
          layoutName="objects"
          rows={shown}
          rowId={({ object_id }) => object_id}
          columns={columns}
          rowHeightPx={38}
          isBusy={list.isPending || list.isPlaceholderData}
          cursor={cursor < 0 ? undefined : { row: cursor }}
          onCursor={({ row }) => setCursor(row)}
          onOpen={open}
          pages={list}
        />
      )}
    </Page>
  )
}

const VERSION_ROUTE = '/$entity/$project/weave/$kind/$name/versions/$digest'

function versionParams(
  { entity, project }: { readonly entity: string; readonly project: string },
  version: ObjectVersion,
) {
  return {
    entity,
    project,
    kind: kindSegment(objectKind(version).name),
    name: version.object_id,
    digest: version.digest,
  }
}

function countText(
  list: { readonly isSuccess: boolean; readonly hasNextPage: boolean },
  count: number,
): string {
  return list.isSuccess ? `${formatCount(count)}${list.hasNextPage ? '+' : ''}` : ''
}

function KindTabs({
  current,
  name,
}: {
  readonly current: KindName | undefined
  readonly name: string | undefined
}) {
  const { entity, project } = useProject()
  const nameSearch = name === undefined ? {} : { name }
  const tab = (kind: KindName | undefined, label: string) => {
    const segment = kind === undefined ? 'objects' : kindSegment(kind)
    const hasOwnSegment = kind === undefined || segment === kind
    return (
      <Link
        key={label}
        to="/$entity/$project/weave/$kind"
        params={{ entity, project, kind: segment }}
        search={hasOwnSegment ? nameSearch : { ...nameSearch, kind }}
        className={styles.kind}
        // The page knows the current kind; the URL can express it in two ways.
        activeProps={{}}
        aria-current={current === kind ? 'page' : undefined}
      >
        {label}
      </Link>
    )
  }
  return (
    <nav className={styles.kinds} aria-label="Object kinds">
      {tab(undefined, 'All')}
      {OBJECT_KINDS.map((kind) => tab(kind.name, kind.label))}
    </nav>
  )
}

const EMPTY_HINTS: Readonly<Record<KindName | 'all', string>> = {
  all: 'Objects published with weave.publish(…) appear here, and every @weave.op function once it has been called.',
  ops: 'Decorate a function with @weave.op and call it. Each version keeps its code.',
  prompts: 'Publish a prompt: weave.publish(weave.StringPrompt("Be kind"), name="tone").',
  models: 'Subclass weave.Model and call its predict method. Each set of field values is a version.',
  datasets:
    'Create a dataset from a CSV or JSONL file, from calls selected in the trace list, or with weave.publish(weave.Dataset(…)).',
  scorers: 'Subclass weave.Scorer and use it in an evaluation.',
  evaluations: 'Run weave.Evaluation(dataset=…, scorers=…).evaluate(model).',
  others: 'Objects of any other class that are published with weave.publish(…) appear here.',
}

interface NoObjectsProps {
  readonly kind: KindName | undefined
  readonly name: string | undefined
  readonly onClear: () => void
}

function NoObjects({ kind, name, onClear }: NoObjectsProps) {
  const label = (findKind(kind)?.label ?? 'Objects').toLowerCase()
  if (name !== undefined) {
    return (
      <EmptyState
        icon="search"
        title={`No matching ${kind === 'others' ? 'objects' : label}`}
        actions={
          <Button variant="default" onClick={onClear}>
            Clear filter
          </Button>
        }
      >
        No name contains “{name}”.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={findKind(kind)?.icon ?? 'objects'}
      title={kind === 'others' ? 'No other objects yet' : `No ${label} yet`}
    >
      {EMPTY_HINTS[kind ?? 'all']}
    </EmptyState>
  )
}
