import { Link } from '@tanstack/react-router'
import { projectParams, type Project } from '../api/project.ts'
import type { GridColumn } from '../ui/data-grid/column.ts'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import { LabelChips } from './label-chips.tsx'
import { objectKind, type ObjectVersion, kindSegment } from './object-kind.ts'
import styles from './object-columns.module.css'

/** The columns of the table of objects. */
export function objectColumns(project: Project): readonly GridColumn<ObjectVersion>[] {
  const now = Date.now()
  const params = (version: ObjectVersion) => ({
    ...projectParams(project),
    kind: kindSegment(objectKind(version).name),
    name: version.object_id,
  })
  return [
    {
      id: 'name',
      label: 'Name',
      width: 'minmax(222px, 2.2fr)',
      cell: (version) => (
        <>
          <span className={styles.icon} data-kind={objectKind(version).name}>
            <Icon name={objectKind(version).icon} size={14} />
          </span>
          <Link
            to="/$entity/$project/weave/$kind/$name/versions/$digest"
            params={{ ...params(version), digest: version.digest }}
            search={{}}
            className={gridStyles.name}
          >
            <span className="isolate">{visibleText(version.object_id)}</span>
          </Link>
        </>
      ),
    },
    {
      id: 'kind',
      label: 'Kind',
      width: 'minmax(132px, 1fr)',
      cell: ({ kind, base_object_class, leaf_object_class: leaf }) => (
        <span className="faint">
          {objectKind({ kind, base_object_class }).singular}
          {leaf !== null && leaf !== base_object_class && (
            <span className={`${styles.leaf} isolate`}>{visibleText(leaf)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'latest',
      label: 'Latest',
      width: '76px',
      cell: (version) => (
        <Link to="/$entity/$project/weave/$kind/$name" params={params(version)} className={styles.version}>
          v{version.version_index}
          <span className="visually-hidden"> of {version.object_id}: all versions</span>
        </Link>
      ),
    },
    {
      id: 'labels',
      label: 'Tags and aliases',
      width: 'minmax(152px, 1.6fr)',
      cell: ({ tags, aliases }) => <LabelChips tags={tags ?? []} aliases={aliases ?? []} />,
    },
    {
      id: 'published',
      label: 'Published',
      width: '108px',
      cell: ({ created_at }) => (
        <time className="faint" title={created_at}>
          {formatAgo(created_at, now)}
        </time>
      ),
    },
    {
      id: 'by',
      label: 'By',
      width: '112px',
      cell: ({ wb_user_id }) => <span className="faint isolate">{visibleText(wb_user_id ?? '')}</span>,
    },
  ]
}
