import { type ReactNode, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import styles from './payload-section.module.css'

/** A collapsible section of the call detail. */
export function PayloadSection(props: {
  readonly title: string
  readonly about?: string
  readonly isCollapsed?: boolean
  /** Controls beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const [isOpen, setOpen] = useState(props.isCollapsed !== true)
  return (
    <section className={styles.section}>
      <div className="row spread gap-8">
        <h3 className={styles.title}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
            {props.title}
            <span className={styles.about}>{props.about}</span>
          </button>
        </h3>
        {isOpen && props.actions}
      </div>
      {isOpen && <div className={styles.body}>{props.children}</div>}
    </section>
  )
}
