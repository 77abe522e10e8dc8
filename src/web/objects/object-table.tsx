import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import { LabelChips } from './label-chips.tsx'
import { objectKind, type ObjectVersion, kindSegment } from './object-kind.ts'
import styles from './object-table.module.css'

const ROW_HEIGHT = 38

interface Props {
  readonly project: Project
  readonly versions: readonly ObjectVersion[]
  readonly isOneKind: boolean
  readonly isStale: boolean
  readonly cursor: number
  readonly onOpen: (version: ObjectVersion) => void
  readonly onEnd: () => void
}

/** The virtualized table of objects. All rows have the same height. */
export function ObjectTable(props: Props) {
  const { versions, cursor, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: versions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const shown = rows.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (versions.length > 0 && lastShown >= versions.length - 10) onEnd()
  }, [lastShown, versions.length])
  useEffect(() => {
    if (cursor >= 0) rows.scrollToIndex(cursor)
  }, [cursor])
  const now = Date.now()
  return (
    <div ref={scroller} className={styles.scroller} role="region" aria-label="List of objects" tabIndex={0}>
      <div role="table" aria-label="Objects" aria-rowcount={versions.length + 1} aria-busy={props.isStale}>
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className={styles.head}>
            <span role="columnheader">Name</span>
            <span role="columnheader">Kind</span>
            <span role="columnheader">Latest</span>
            <span role="columnheader">Tags and aliases</span>
            <span role="columnheader">Published</span>
            <span role="columnheader">By</span>
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const version = versions[index]
            if (version === undefined) return null
            return (
              <Row
                key={version.object_id}
                project={props.project}
                version={version}
                index={index}
                start={start}
                now={now}
                isCursor={index === cursor}
                onOpen={props.onOpen}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  readonly project: Project
  readonly version: ObjectVersion
  readonly index: number
  readonly start: number
  readonly now: number
  readonly isCursor: boolean
  readonly onOpen: (version: ObjectVersion) => void
}

function Row({ project, version, index, start, now, isCursor, onOpen }: RowProps) {
  const kind = objectKind(version)
  const params = {
    entity: project.entity,
    project: project.project,
    kind: kindSegment(kind.name),
    name: version.object_id,
  }
  const open = (event: MouseEvent): void => {
    const isModified = event.ctrlKey || event.metaKey || event.shiftKey
    const isLink = event.target instanceof Element && event.target.closest('a') !== null
    if (!isModified && !isLink && window.getSelection()?.type !== 'Range') onOpen(version)
  }
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-cursor={isCursor || undefined}
      style={{ transform: `translateY(${start}px)` }}
      onClick={open}
    >
      <span role="cell" className={styles.nameCell}>
        <span className={styles.icon} data-kind={kind.name}>
          <Icon name={kind.icon} size={14} />
        </span>
        <Link
          to="/$entity/$project/weave/$kind/$name/versions/$digest"
          params={{ ...params, digest: version.digest }}
          search={{}}
          className={styles.name}
        >
          <span className="isolate">{visibleText(version.object_id)}</span>
        </Link>
      </span>
      <span role="cell" className={styles.faint}>
        {kind.singular}
        {version.leaf_object_class !== null && version.leaf_object_class !== version.base_object_class && (
          <span className={`${styles.leaf} isolate`}>{visibleText(version.leaf_object_class)}</span>
        )}
      </span>
      <span role="cell">
        <Link to="/$entity/$project/weave/$kind/$name" params={params} className={styles.version}>
          v{version.version_index}
          <span className="visually-hidden"> of {version.object_id}: all versions</span>
        </Link>
      </span>
      <span role="cell" className={styles.labels}>
        <LabelChips tags={version.tags ?? []} aliases={version.aliases ?? []} />
      </span>
      <span role="cell" className={styles.faint}>
        <time title={version.created_at}>{formatAgo(version.created_at, now)}</time>
      </span>
      <span role="cell" className={`${styles.faint} isolate`}>
        {visibleText(version.wb_user_id ?? '')}
      </span>
    </div>
  )
}
