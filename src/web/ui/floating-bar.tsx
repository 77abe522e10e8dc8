import type { ReactNode } from 'react'
import styles from './floating-bar.module.css'

interface Props {
  readonly label: string
  /** What is selected. */
  readonly text: ReactNode
  /** Buttons. */
  readonly children: ReactNode
}

/** A toolbar above the end of a page, with actions for what is selected. */
export function FloatingBar({ label, text, children }: Props) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={label}>
      <span className={styles.text}>{text}</span>
      {children}
    </div>
  )
}
