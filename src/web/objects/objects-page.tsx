import { Button, TextInput } from '@mantine/core'
import { Link, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import {
  findKind,
  kindOf,
  type KindName,
  OBJECT_KINDS,
  type ObjectVersion,
  segmentOf,
} from './object-kind.ts'
import { ObjectTable } from './object-table.tsx'
import styles from './objects-page.module.css'
import type { ObjectsSearch } from './objects-search.ts'
import { useObjectList } from './use-objects.ts'

/** Everything that was published: the newest version of each, of one kind or of all. */
export function ObjectsPage() {
  const project = useProject()
  const search = useSearch({ strict: false }) as ObjectsSearch
  const params = useParams({ strict: false }) as { readonly kind?: string }
  const last = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  const navigate = useNavigate()
  const kind = findKind(search.kind) ?? findKind(params.kind) ?? findKind(last)
  useTitle(kind?.label ?? 'Objects', project.project_id)
  const list = useObjectList(project, kind)
  const read = useMemo(() => list.data?.pages.flatMap(({ objs }) => objs) ?? [], [list.data])
  const wanted = (search.name ?? '').toLowerCase()
  const shown = useMemo(
    () => (wanted === '' ? read : read.filter(({ object_id }) => object_id.toLowerCase().includes(wanted))),
    [read, wanted],
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const more = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  // A name may be that of any object: all of them are looked at.
  useEffect(() => {
    if (wanted !== '') more()
  }, [wanted, hasNextPage, isFetchingNextPage])

  const [cursor, setCursor] = useState(-1)
  const box = useRef<HTMLInputElement>(null)
  const open = (version: ObjectVersion | undefined): void => {
    if (version === undefined) return
    void navigate({ to: VERSION, params: versionParams(project, version), search: {} })
  }
  const move = (step: number): void => setCursor(Math.max(0, Math.min(shown.length - 1, cursor + step)))
  useShortcuts('Objects', [
    { keys: 'j', label: 'Next', run: () => move(1) },
    { keys: 'k', label: 'Previous', run: () => move(-1) },
    { keys: 'Enter', label: 'Open', run: () => open(shown[cursor]) },
    { keys: '/', label: 'Filter by name', run: () => box.current?.focus() },
  ])

  const setName = (name: string): void => {
    setCursor(-1)
    const next = { ...search, name: name === '' ? undefined : name } as ObjectsSearch
    void navigate({ to: '.', search: next, replace: true })
  }
  return (
    <div className={styles.page}>
      <PageHead title={kind?.label ?? 'Objects'} about={aboutText(list, shown.length)}>
        {(kind === undefined || kind.name === 'datasets') && (
          <Button
            component="div"
            className={styles.button}
            variant={kind === undefined ? 'default' : 'filled'}
            leftSection={<Icon name="upload" size={14} />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$entity/$project/weave/new-dataset"
                params={{ entity: project.entity, project: project.project }}
                search={{}}
              />
            )}
          >
            New dataset
          </Button>
        )}
      </PageHead>
      <div className={styles.tools}>
        <KindTabs current={kind?.name} name={search.name} />
        <TextInput
          ref={box}
          className={styles.name}
          aria-label="Filter by name"
          placeholder="Filter by name"
          leftSection={<Icon name="search" size={14} />}
          value={search.name ?? ''}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {list.isError && read.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isSuccess && shown.length === 0 && !hasNextPage ? (
        <Nothing kind={kind?.name} name={search.name} onClear={() => setName('')} />
      ) : (
        <ObjectTable
          project={project}
          versions={shown}
          isOneKind={kind !== undefined}
          isStale={list.isPending || list.isPlaceholderData}
          cursor={cursor}
          onOpen={open}
          onEnd={more}
        />
      )}
    </div>
  )
}

const VERSION = '/$entity/$project/weave/$kind/$name/versions/$digest'

function versionParams(
  { entity, project }: { readonly entity: string; readonly project: string },
  version: ObjectVersion,
) {
  return {
    entity,
    project,
    kind: segmentOf(kindOf(version).name),
    name: version.object_id,
    digest: version.digest,
  }
}

function aboutText(
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
  const kept = name === undefined ? {} : { name }
  const tab = (kind: KindName | undefined, label: string) => {
    const segment = kind === undefined ? 'objects' : segmentOf(kind)
    const isOwn = kind === undefined || segment === kind
    return (
      <Link
        key={label}
        to="/$entity/$project/weave/$kind"
        params={{ entity, project, kind: segment }}
        search={isOwn ? kept : { ...kept, kind }}
        className={styles.kind}
        // Which one it is, is known by the page: an address may say it in two ways.
        activeProps={{}}
        aria-current={current === kind ? 'page' : undefined}
      >
        {label}
      </Link>
    )
  }
  return (
    <nav className={styles.kinds} aria-label="Kinds of objects">
      {tab(undefined, 'All')}
      {OBJECT_KINDS.map((kind) => tab(kind.name, kind.label))}
    </nav>
  )
}

const ADVICE: Readonly<Record<KindName | 'all', string>> = {
  all: 'Whatever a program publishes with weave.publish(…) appears here, and every function with @weave.op once it was called.',
  ops: 'Put @weave.op above a function and call it: its code is kept with each version.',
  prompts: 'Publish one: weave.publish(weave.StringPrompt("Be kind"), name="tone").',
  models: 'Derive a class from weave.Model and call its predict: each set of its fields is a version.',
  datasets:
    'Make one from a CSV or JSONL file, from calls that are selected in the list of traces, or with weave.publish(weave.Dataset(…)).',
  scorers: 'Derive a class from weave.Scorer and use it in an evaluation.',
  evaluations: 'Run weave.Evaluation(dataset=…, scorers=…).evaluate(model).',
  others: 'Any object that a program publishes with weave.publish(…) appears here.',
}

interface NothingProps {
  readonly kind: KindName | undefined
  readonly name: string | undefined
  readonly onClear: () => void
}

function Nothing({ kind, name, onClear }: NothingProps) {
  const label = (findKind(kind)?.label ?? 'Objects').toLowerCase()
  if (name !== undefined) {
    return (
      <Empty
        icon="search"
        title={`No ${label === 'others' ? 'objects' : label} with this name`}
        actions={
          <Button variant="default" onClick={onClear}>
            Clear the filter
          </Button>
        }
      >
        Nothing here has “{name}” in its name.
      </Empty>
    )
  }
  return (
    <Empty
      icon={findKind(kind)?.icon ?? 'objects'}
      title={label === 'others' ? 'No other objects yet' : `No ${label} yet`}
    >
      {ADVICE[kind ?? 'all']}
    </Empty>
  )
}
