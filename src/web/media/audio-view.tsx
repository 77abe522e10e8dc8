import { useMemo, useState } from 'react'
import { formatDuration } from '../time/format.ts'
import type { MediaType } from './media-type.ts'
import styles from './media-view.module.css'
import { useBlobUrl } from './use-blob-url.ts'

interface Props {
  readonly blob: Blob
  readonly type: MediaType
  readonly label: string
  readonly onDuration: (text: string) => void
}

/** Audio player with the controls of the browser. Nothing plays automatically. */
export function AudioView({ blob, type, label, onDuration }: Props) {
  const [isBroken, setBroken] = useState(false)
  const url = useBlobUrl(useMemo(() => blob.slice(0, blob.size, type.type), [blob, type]))
  if (isBroken) return <p className="faint wrap">The audio cannot be played: its data is damaged.</p>
  return (
    <audio
      className={styles.audio}
      controls
      preload="metadata"
      aria-label={`Audio at ${label}`}
      src={url}
      onLoadedMetadata={({ currentTarget: { duration } }) => {
        if (Number.isFinite(duration)) onDuration(formatDuration(duration * 1000))
      }}
      onError={() => setBroken(true)}
    />
  )
}
