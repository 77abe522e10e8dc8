import { Checkbox } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import { SimpleTable } from '../ui/simple-table.tsx'
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
        <ActionButton variant="default" icon="diff" disabled={selected.length !== 2} onClick={compare}>
          Compare
        </ActionButton>
        <WriteOnly>
          <ActionButton
            variant="subtle"
            color="danger"
            icon="trash"
            disabled={selected.length === 0}
            onClick={() => setDeleteTarget(selected)}
          >
            Delete
          </ActionButton>
        </WriteOnly>
        <span className="hint">
          {selected.length === 0
            ? list.length > 1
              ? 'Select two versions to compare'
              : ''
            : `${selected.length} selected`}
        </span>
      </div>
      <div className={styles.scroller}>
        <SimpleTable
          isRoomy
          isFramed
          rows={list}
          rowKey={({ digest }) => digest}
          isCurrent={({ digest }) => digest === current}
          columns={[
            {
              label: 'Selected',
              isLabelHidden: true,
              cell: ({ digest, version_index }) => (
                <Checkbox
                  aria-label={`Select v${version_index}`}
                  checked={selectedDigests.includes(digest)}
                  onChange={() => toggle(digest)}
                />
              ),
            },
            {
              label: 'Version',
              cell: ({ digest, version_index, is_latest }) => (
                <>
                  <Link
                    to="/$entity/$project/weave/$kind/$name/versions/$digest"
                    params={{ ...params, digest }}
                    search={{}}
                    className={styles.version}
                    aria-current={digest === current ? 'page' : undefined}
                  >
                    v{version_index}
                  </Link>
                  {is_latest === 1 && <span className={styles.latest}>latest</span>}
                </>
              ),
            },
            {
              label: 'Tags and aliases',
              cell: ({ tags, aliases }) => (
                <span className="row gap-4">
                  <LabelChips tags={tags ?? []} aliases={aliases ?? []} />
                </span>
              ),
            },
            {
              label: 'Published',
              cell: ({ created_at }) => <time title={created_at}>{formatTime(created_at)}</time>,
            },
            {
              label: 'By',
              className: 'isolate',
              cell: ({ wb_user_id }) => visibleText(wb_user_id ?? ''),
            },
            {
              label: 'Size',
              isNumber: true,
              cell: ({ size_bytes }) => (size_bytes === null ? '' : formatBytes(size_bytes)),
            },
            {
              label: 'Digest',
              cell: ({ digest }) => <code title={digest}>{digest.slice(0, 10)}</code>,
            },
            {
              label: 'Compare',
              isLabelHidden: true,
              cell: ({ digest, version_index }, i) => {
                const previous = list[i + 1]
                return (
                  previous !== undefined && (
                    <Link
                      to="/$entity/$project/weave/$kind/$name/diff"
                      params={params}
                      search={{ from: previous.digest, to: digest }}
                    >
                      Changes
                      <span className="visually-hidden"> in v{version_index}</span>
                    </Link>
                  )
                )
              },
            },
          ]}
        />
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
