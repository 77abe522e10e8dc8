import { Button, Checkbox } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { DeleteVersions } from './delete-versions.tsx'
import { LabelChips } from './label-chips.tsx'
import type { ObjectVersion, Segment } from './object-kind.ts'
import styles from './version-list.module.css'
import { useVersions } from './use-objects.ts'

interface Props {
  readonly project: Project
  readonly segment: Segment
  readonly name: string
  /** Digest of the version whose page shows the list. */
  readonly current?: string
}

/** All versions of an object. Two can be compared, any number deleted. */
export function VersionList({ project, segment, name, current }: Props) {
  const versions = useVersions(project, name)
  const navigate = useNavigate()
  const [selectedDigests, setSelectedDigests] = useState<readonly string[]>([])
  const [deleteTarget, setDeleteTarget] = useState<readonly ObjectVersion[]>()
  if (versions.isError) return <ErrorNotice error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return null
  const params = { entity: project.entity, project: project.project, kind: segment, name }
  const list = versions.data
  const selected = list.filter(({ digest }) => selectedDigests.includes(digest))
  // Newest first: the older version is the base of the diff.
  const [newer, older] = selected
  const toggle = (digest: string): void =>
    setSelectedDigests(
      selectedDigests.includes(digest)
        ? selectedDigests.filter((each) => each !== digest)
        : [...selectedDigests, digest],
    )
  const compare = (): void => {
    if (newer === undefined || older === undefined) return
    const search = { from: older.digest, to: newer.digest }
    void navigate({ to: '/$entity/$project/weave/$kind/$name/diff', params, search })
  }
  return (
    <section className={styles.list} aria-label={`Versions of ${name}`}>
      <div className={styles.tools} role="toolbar" aria-label="Selected versions">
        <Button
          variant="default"
          leftSection={<Icon name="diff" size={14} />}
          disabled={selected.length !== 2}
          onClick={compare}
        >
          Compare
        </Button>
        <Button
          variant="subtle"
          color="madder"
          leftSection={<Icon name="trash" size={14} />}
          disabled={selected.length === 0}
          onClick={() => setDeleteTarget(selected)}
        >
          Delete
        </Button>
        <span className={styles.hint}>
          {selected.length === 0
            ? list.length > 1
              ? 'Select two versions to compare'
              : ''
            : `${selected.length} selected`}
        </span>
      </div>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Selected</span>
              </th>
              <th>Version</th>
              <th>Tags and aliases</th>
              <th>Published</th>
              <th>By</th>
              <th className={styles.number}>Size</th>
              <th>Digest</th>
              <th>
                <span className="visually-hidden">Compare</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((version, i) => {
              const previous = list[i + 1]
              return (
                <tr key={version.digest} data-current={version.digest === current || undefined}>
                  <td>
                    <Checkbox
                      aria-label={`Select v${version.version_index}`}
                      checked={selectedDigests.includes(version.digest)}
                      onChange={() => toggle(version.digest)}
                    />
                  </td>
                  <td>
                    <Link
                      to="/$entity/$project/weave/$kind/$name/versions/$digest"
                      params={{ ...params, digest: version.digest }}
                      search={{}}
                      className={styles.version}
                      aria-current={version.digest === current ? 'page' : undefined}
                    >
                      v{version.version_index}
                    </Link>
                    {version.is_latest === 1 && <span className={styles.latest}>latest</span>}
                  </td>
                  <td>
                    <span className={styles.labels}>
                      <LabelChips tags={version.tags ?? []} aliases={version.aliases ?? []} />
                    </span>
                  </td>
                  <td>
                    <time title={version.created_at}>{formatTime(version.created_at)}</time>
                  </td>
                  <td className="isolate">{visibleText(version.wb_user_id ?? '')}</td>
                  <td className={styles.number}>
                    {version.size_bytes === null ? '' : formatBytes(version.size_bytes)}
                  </td>
                  <td>
                    <code title={version.digest}>{version.digest.slice(0, 10)}</code>
                  </td>
                  <td>
                    {previous !== undefined && (
                      <Link
                        to="/$entity/$project/weave/$kind/$name/diff"
                        params={params}
                        search={{ from: previous.digest, to: version.digest }}
                      >
                        Changes
                        <span className="visually-hidden"> in v{version.version_index}</span>
                      </Link>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <DeleteVersions
        project={project}
        name={name}
        target={deleteTarget}
        onClose={() => setDeleteTarget(undefined)}
        onDeleted={() => {
          setDeleteTarget(undefined)
          setSelectedDigests([])
          // The page of a deleted version has nothing to show.
          if (deleteTarget?.length === list.length) {
            void navigate({ to: '/$entity/$project/weave/$kind', params, search: {} })
          } else if (deleteTarget?.some(({ digest }) => digest === current) === true) {
            void navigate({ to: '/$entity/$project/weave/$kind/$name', params })
          }
        }}
      />
    </section>
  )
}
