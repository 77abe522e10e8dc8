import { Button, Checkbox } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
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
  /** The version whose page the list stands on. */
  readonly current?: string
}

/** All versions of an object; two of them can be compared, any number deleted. */
export function VersionList({ project, segment, name, current }: Props) {
  const versions = useVersions(project, name)
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [doomed, setDoomed] = useState<readonly ObjectVersion[]>()
  if (versions.isError) return <Failure error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return null
  const params = { entity: project.entity, project: project.project, kind: segment, name }
  const list = versions.data
  const selected = list.filter(({ digest }) => chosen.includes(digest))
  // The older one is what the newer is compared with.
  const [newer, older] = selected
  const toggle = (digest: string): void =>
    setChosen(chosen.includes(digest) ? chosen.filter((each) => each !== digest) : [...chosen, digest])
  const compare = (): void => {
    if (newer === undefined || older === undefined) return
    const search = { from: older.digest, to: newer.digest }
    void navigate({ to: '/$entity/$project/weave/$kind/$name/diff', params, search })
  }
  return (
    <section className={styles.list} aria-label={`Versions of ${name}`}>
      <div className={styles.tools} role="toolbar" aria-label="With the versions that are ticked">
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
          onClick={() => setDoomed(selected)}
        >
          Delete
        </Button>
        <span className={styles.hint}>
          {selected.length === 0
            ? list.length > 1
              ? 'Tick two versions to compare them'
              : ''
            : `${selected.length} ticked`}
        </span>
      </div>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Ticked</span>
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
              const before = list[i + 1]
              return (
                <tr key={version.digest} data-current={version.digest === current || undefined}>
                  <td>
                    <Checkbox
                      aria-label={`Tick v${version.version_index}`}
                      checked={chosen.includes(version.digest)}
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
                  <td className="foreign">{visibleText(version.wb_user_id ?? '')}</td>
                  <td className={styles.number}>
                    {version.size_bytes === null ? '' : formatBytes(version.size_bytes)}
                  </td>
                  <td>
                    <code title={version.digest}>{version.digest.slice(0, 10)}</code>
                  </td>
                  <td>
                    {before !== undefined && (
                      <Link
                        to="/$entity/$project/weave/$kind/$name/diff"
                        params={params}
                        search={{ from: before.digest, to: version.digest }}
                      >
                        what changed
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
        doomed={doomed}
        onClose={() => setDoomed(undefined)}
        onDeleted={() => {
          setDoomed(undefined)
          setChosen([])
          // A page of a version that is gone has nothing to show.
          if (doomed?.length === list.length) {
            void navigate({ to: '/$entity/$project/weave/$kind', params, search: {} })
          } else if (doomed?.some(({ digest }) => digest === current) === true) {
            void navigate({ to: '/$entity/$project/weave/$kind/$name', params })
          }
        }}
      />
    </section>
  )
}
