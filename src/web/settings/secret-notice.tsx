import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './settings-page.module.css'

interface Props {
  readonly secret: string
  readonly copyLabel: string
  readonly children: ReactNode
  readonly onDone: () => void
}

/** A key or password that is shown once, with a button to copy it. */
export function SecretNotice({ secret, copyLabel, children, onDone }: Props) {
  return (
    <div className={styles.created} role="status">
      <div className="row gap-8">
        <code>{secret}</code>
        <CopyButton text={secret} label={copyLabel} />
      </div>
      <p>{children}</p>
      <div>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
