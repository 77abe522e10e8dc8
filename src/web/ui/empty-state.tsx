import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'

/** An empty state: the reason and the next action. */
export function EmptyState(props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <div className={styles.notice} role="status">
      <span className={styles.icon}>
        <Icon name={props.icon} size={22} />
      </span>
      <h2>{props.title}</h2>
      {props.children !== undefined && <p className="soft wrap">{props.children}</p>}
      {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
    </div>
  )
}
