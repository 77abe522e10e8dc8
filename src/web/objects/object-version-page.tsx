import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { useProject } from '../api/project.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { TabView } from '../ui/tab-view.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Page } from '../ui/page.tsx'
import { formatTime } from '../time/format.ts'
import { ObjectHead } from './object-head.tsx'
import { findKind, type KindName, LEADERBOARD_CLASS, objectKind, OTHERS, kindSegment } from './object-kind.ts'
import { ObjectValue } from './object-value.tsx'
import styles from './object-version-page.module.css'
import { VersionUsage } from './version-usage.tsx'
import { useVersion, useVersions } from './use-objects.ts'
import { versionRef } from './use-usage.ts'
import { VersionLabels } from './version-labels.tsx'
import { VersionList } from './version-list.tsx'
import { VersionMenu } from './version-menu.tsx'
import { useChangeSearch } from '../use-change-search.ts'

const DatasetView = lazyComponent(() => import('../datasets/dataset-view.tsx'), 'DatasetView')

const PublishedLeaderboardView = lazyComponent(
  () => import('../evaluations/published-leaderboard-view.tsx'),
  'PublishedLeaderboardView',
)

const ROUTE = '/$entity/$project/weave/$kind/$name/versions/$digest'

/** The page of one version of an object: a prompt, a model, a dataset, an op. */
export function ObjectVersionPage() {
  const route = useParams({ from: ROUTE })
  const { name, digest } = route
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const updateSearch = useChangeSearch('version')
  const project = useProject()
  const version = useVersion(project, name, digest)
  const versions = useVersions(project, name)
  useDocumentTitle(
    version.data === undefined ? name : `${name} v${version.data.version_index}`,
    project.project_id,
  )
  if (version.isError) return <ErrorNotice error={version.error} retry={() => void version.refetch()} />
  if (version.data === undefined) return <LoadingHeader kind={route.kind} name={name} />
  const kind = objectKind(version.data)
  const segment = kindSegment(kind.name)
  const isDataset = kind.name === 'datasets'
  const isLeaderboard = version.data.base_object_class === LEADERBOARD_CLASS
  const tabs = versionTabs(isLeaderboard ? 'leaderboard' : kind.name, versions.data?.length)
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? tabs[0]?.value ?? 'value'
  const isGrid = tab === 'rows' || tab === 'leaderboard'
  const previous = versions.data?.find(({ version_index }) => version_index < version.data.version_index)
  const params = { entity: project.entity, project: project.project, kind: segment, name }
  return (
    <Page isSurface>
      <ObjectHead
        kind={kind}
        name={name}
        details={
          <>
            <VersionMenu
              project={project}
              name={name}
              label="Version"
              current={version.data}
              onVersion={(next) =>
                void navigate({
                  to: ROUTE,
                  params: { ...params, digest: next.digest },
                  search: search.tab === undefined ? {} : { tab: search.tab },
                })
              }
            />
            <VersionLabels project={project} version={version.data} />
          </>
        }
      >
        <span className="hint">
          <time title={version.data.created_at}>{formatTime(version.data.created_at)}</time>
          {version.data.wb_user_id !== null && (
            <>
              {' by '}
              <span className="isolate">{visibleText(version.data.wb_user_id)}</span>
            </>
          )}
        </span>
        {previous !== undefined && (
          <LinkButton
            variant="default"
            leftSection={<Icon name="diff" size={14} />}
            to="/$entity/$project/weave/$kind/$name/diff"
            params={params}
            search={{ from: previous.digest, to: version.data.digest }}
          >
            Compare
          </LinkButton>
        )}
        <CopyButton text={versionRef(project.project_id, version.data)} label="Copy ref" hasLabel />
      </ObjectHead>
      <TabView
        label={`Details of this ${kind.singular}`}
        tabs={tabs}
        value={tab}
        onChange={(value) => updateSearch({ tab: value === tabs[0]?.value ? undefined : value })}
        panelClassName={isGrid ? styles.rows : styles.body}
        isPanelFocusable={!isGrid}
      >
        {tab === 'rows' && isDataset && (
          <Suspense fallback={null}>
            <DatasetView
              key={version.data.digest}
              project={project}
              version={version.data}
              latest={versions.data?.find(({ is_latest }) => is_latest === 1)}
              search={search}
              onSearch={updateSearch}
            />
          </Suspense>
        )}
        {tab === 'leaderboard' && (
          <Suspense fallback={null}>
            <PublishedLeaderboardView
              project={project}
              val={version.data.val.text}
              sort={search.sort}
              onSort={(sort) => updateSearch({ sort })}
            />
          </Suspense>
        )}
        {tab === 'value' && <ObjectValue project={project} kind={kind} val={version.data.val.text} />}
        {tab === 'usage' && <VersionUsage project={project} version={version.data} />}
        {tab === 'versions' && (
          <VersionList project={project} segment={segment} name={name} current={version.data.digest} />
        )}
      </TabView>
    </Page>
  )
}

/** The header while the version is loading. */
function LoadingHeader({ kind, name }: { readonly kind: string; readonly name: string }) {
  return (
    <Page isSurface aria-busy>
      <ObjectHead kind={findKind(kind) ?? OTHERS} name={name} />
    </Page>
  )
}

function versionTabs(
  kind: KindName | 'leaderboard',
  count: number | undefined,
): { readonly value: string; readonly label: string }[] {
  const versions = count === undefined ? 'Versions' : `Versions (${count})`
  return [
    ...(kind === 'datasets' ? [{ value: 'rows', label: 'Rows' }] : []),
    ...(kind === 'leaderboard' ? [{ value: 'leaderboard', label: 'Leaderboard' }] : []),
    { value: 'value', label: kind === 'ops' ? 'Code' : 'Value' },
    { value: 'usage', label: 'Usage' },
    { value: 'versions', label: versions },
  ]
}
