import { SegmentedControl } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { Page } from '../ui/page.tsx'
import styles from './object-diff-page.module.css'
import { ObjectHead } from './object-head.tsx'
import { objectKind } from './object-kind.ts'
import type { ComparedPart } from './prompt-parts.ts'
import { useComparedParts } from './use-compared-parts.ts'
import { useVersion, useVersions } from './use-objects.ts'
import { VersionMenu } from './version-menu.tsx'
import { useChangeSearch } from '../use-change-search.ts'

const ROUTE = '/$entity/$project/weave/$kind/$name/diff'

/** The diff of two versions of an object. */
export function ObjectDiffPage() {
  const { name } = useParams({ from: ROUTE })
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const project = useProject()
  useDocumentTitle(`Compare versions of ${name}`, project.project_id)
  const to = useVersion(project, name, search.to ?? 'latest')
  const versions = useVersions(project, name)
  // Without a version to compare with, the one before.
  const before = versions.data?.find(
    ({ version_index }) => to.data !== undefined && version_index < to.data.version_index,
  )
  const fromDigest = search.from ?? before?.digest
  const from = useVersion(project, name, fromDigest ?? '')
  const left = useComparedParts(project, from.data)
  const right = useComparedParts(project, to.data)
  const updateSearch = useChangeSearch('diff')
  const error = from.error ?? to.error ?? left.error ?? right.error
  if (error !== null) return <ErrorNotice error={error} retry={() => void navigate({ to: '.' })} />
  if (to.data === undefined) return null
  const layout = search.layout === 'unified' ? 'unified' : 'split'
  const versionLabel = (version: typeof to.data): string => `v${version.version_index}`
  return (
    <Page isSurface>
      <ObjectHead
        kind={objectKind(to.data)}
        name={name}
        details={
          <>
            <VersionMenu
              project={project}
              name={name}
              label="From version"
              current={from.data}
              onVersion={({ digest }) => updateSearch({ from: digest })}
            />
            <IconButton
              icon="chevronRight"
              label="Swap versions"
              tooltip="Swap versions"
              size={22}
              disabled={from.data === undefined}
              onClick={() => updateSearch({ from: to.data.digest, to: from.data?.digest ?? 'latest' })}
            />
            <VersionMenu
              project={project}
              name={name}
              label="To version"
              current={to.data}
              onVersion={({ digest }) => updateSearch({ to: digest })}
            />
          </>
        }
      >
        <SegmentedControl
          aria-label="Layout"
          value={layout}
          onChange={(value) => updateSearch({ layout: value })}
          data={[
            { value: 'split', label: 'Side by side' },
            { value: 'unified', label: 'Unified' },
          ]}
        />
      </ObjectHead>
      <div className={styles.body} tabIndex={0} role="region" aria-label="Differences">
        {fromDigest === undefined
          ? versions.isSuccess && (
              <EmptyState icon="diff" title="There is only one version">
                The next version that is published can be compared with it.
              </EmptyState>
            )
          : left.data !== undefined &&
            right.data !== undefined &&
            from.data !== undefined &&
            partTitles(left.data, right.data).map((title) => (
              <section key={title} className={styles.part} aria-label={title}>
                <h2 className="isolate">{visibleText(title)}</h2>
                <DiffView
                  left={partText(left.data, title)}
                  right={partText(right.data, title)}
                  leftName={from.data === undefined ? '' : versionLabel(from.data)}
                  rightName={versionLabel(to.data)}
                  layout={layout}
                />
              </section>
            ))}
      </div>
    </Page>
  )
}

function partTitles(left: readonly ComparedPart[], right: readonly ComparedPart[]): string[] {
  return [...new Set([...left, ...right].map(({ title }) => title))]
}

function partText(parts: readonly ComparedPart[], title: string): string {
  return parts.find((part) => part.title === title)?.text ?? ''
}
