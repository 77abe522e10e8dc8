import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { type ObjectKind, kindSegment } from './object-kind.ts'
import styles from './object-head.module.css'

interface Props {
  readonly kind: ObjectKind
  readonly name: string
  /** Beside the name: the version and its labels. */
  readonly details?: ReactNode
  /** Actions, at the right. */
  readonly children?: ReactNode
}

/** The header of an object page: a breadcrumb of kind and name. */
export function ObjectHead({ kind, name, details, children }: Props) {
  const { entity, project } = useProject()
  const segment = kindSegment(kind.name)
  const params = { entity, project, kind: segment }
  return (
    <header className={styles.head}>
      <Link
        to="/$entity/$project/weave/$kind"
        params={params}
        search={segment === kind.name ? {} : { kind: kind.name }}
        className={styles.kind}
      >
        <Icon name={kind.icon} size={14} />
        {kind.label}
      </Link>
      <span className={styles.slash} aria-hidden="true">
        /
      </span>
      <h1 className={`${styles.name} plain-links`}>
        <Link to="/$entity/$project/weave/$kind/$name" params={{ ...params, name }}>
          <span className="isolate">{visibleText(name)}</span>
        </Link>
      </h1>
      {details}
      <span className="grow" />
      {children}
    </header>
  )
}
