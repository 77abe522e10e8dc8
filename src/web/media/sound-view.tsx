import { useMemo, useState } from 'react'
import { formatDuration } from '../time/format.ts'
import type { MediaType } from './media-type.ts'
import styles from './media-view.module.css'
import { useBlobUrl } from './use-blob-url.ts'

interface Props {
  readonly blob: Blob
  readonly type: MediaType
  readonly label: string
  readonly onLength: (text: string) => void
}

/** With the browser's own controls; nothing sounds by itself. */
export function SoundView({ blob, type, label, onLength }: Props) {
  const [isBroken, setBroken] = useState(false)
  const address = useBlobUrl(useMemo(() => blob.slice(0, blob.size, type.type), [blob, type]))
  if (isBroken) return <p className={styles.note}>The browser cannot play it: its bytes are damaged.</p>
  return (
    <audio
      className={styles.sound}
      controls
      preload="metadata"
      aria-label={`Sound at ${label}`}
      src={address}
      onLoadedMetadata={({ currentTarget: { duration } }) => {
        if (Number.isFinite(duration)) onLength(formatDuration(duration * 1000))
      }}
      onError={() => setBroken(true)}
    />
  )
}
