import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './object-diff-page.module.css'
import { ObjectHead } from './object-head.tsx'
import { kindOf } from './object-kind.ts'
import { type ComparedPart, useComparedParts } from './object-text.ts'
import type { DiffSearch } from './objects-search.ts'
import { useVersion } from './use-objects.ts'
import { VersionMenu } from './version-menu.tsx'

const ROUTE = '/$entity/$project/weave/$kind/$name/diff'

/** What differs between two versions of an object. */
export function ObjectDiffPage() {
  const { name } = useParams({ from: ROUTE })
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const project = useProject()
  useTitle(`${name}: versions compared`, project.project_id)
  const from = useVersion(project, name, search.from ?? '')
  const to = useVersion(project, name, search.to ?? 'latest')
  const left = useComparedParts(project, from.data)
  const right = useComparedParts(project, to.data)
  const change = (next: DiffSearch): void => void navigate({ search: (old) => ({ ...old, ...next }) })
  const error = from.error ?? to.error ?? left.error ?? right.error
  if (error !== null) return <Failure error={error} retry={() => void navigate({ to: '.' })} />
  if (to.data === undefined) return null
  const layout = search.layout === 'unified' ? 'unified' : 'split'
  const nameOf = (version: typeof to.data): string => `v${version.version_index}`
  return (
    <div className={styles.page}>
      <ObjectHead
        kind={kindOf(to.data)}
        name={name}
        about={
          <>
            <VersionMenu
              project={project}
              name={name}
              label="From version"
              current={from.data}
              onVersion={({ digest }) => change({ from: digest })}
            />
            <Tooltip label="The other way round">
              <ActionIcon
                size={22}
                aria-label="The other way round"
                disabled={from.data === undefined}
                onClick={() => change({ from: to.data.digest, to: from.data?.digest ?? 'latest' })}
              >
                <Icon name="chevronRight" size={14} />
              </ActionIcon>
            </Tooltip>
            <VersionMenu
              project={project}
              name={name}
              label="To version"
              current={to.data}
              onVersion={({ digest }) => change({ to: digest })}
            />
          </>
        }
      >
        <SegmentedControl
          aria-label="Layout"
          value={layout}
          onChange={(value) => change({ layout: value })}
          data={[
            { value: 'split', label: 'Side by side' },
            { value: 'unified', label: 'One column' },
          ]}
        />
      </ObjectHead>
      <div className={styles.body} tabIndex={0} role="region" aria-label="Differences">
        {search.from === undefined ? (
          <Empty icon="diff" title="Compared with which version?">
            Choose one in the menu above.
          </Empty>
        ) : (
          left.data !== undefined &&
          right.data !== undefined &&
          from.data !== undefined &&
          titlesOf(left.data, right.data).map((title) => (
            <section key={title} className={styles.part} aria-label={title}>
              <h2 className="foreign">{visibleText(title)}</h2>
              <DiffView
                left={textOf(left.data, title)}
                right={textOf(right.data, title)}
                leftName={from.data === undefined ? '' : nameOf(from.data)}
                rightName={nameOf(to.data)}
                layout={layout}
              />
            </section>
          ))
        )}
      </div>
    </div>
  )
}

function titlesOf(left: readonly ComparedPart[], right: readonly ComparedPart[]): string[] {
  return [...new Set([...left, ...right].map(({ title }) => title))]
}

function textOf(parts: readonly ComparedPart[], title: string): string {
  return parts.find((part) => part.title === title)?.text ?? ''
}
