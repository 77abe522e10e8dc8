import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePageOutdated } from '../loading/server-version.ts'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './connection-banner.module.css'

/** Offers to reload the page after the server was updated. Not done unasked: something may be typed. */
export function UpdateBanner() {
  const isOutdated = usePageOutdated()
  const [isDismissed, setDismissed] = useState(false)
  if (!isOutdated || isDismissed) return null
  return (
    <div className={styles.banner} data-kind="update" role="status">
      A new version of Heddle is on the server.
      <Button size="compact-sm" onClick={() => window.location.reload()}>
        Reload
      </Button>
      <IconButton icon="close" label="Later" tooltip="Later" size={24} onClick={() => setDismissed(true)} />
    </div>
  )
}
