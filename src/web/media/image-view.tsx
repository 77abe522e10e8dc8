import { useMemo, useState } from 'react'
import type { MediaType } from './media-type.ts'
import styles from './media-view.module.css'
import { useBlobUrl } from './use-blob-url.ts'

interface Props {
  readonly blob: Blob
  readonly type: MediaType
  readonly label: string
  readonly onSize: (text: string) => void
}

/** Small until somebody presses it. */
export function ImageView({ blob, type, label, onSize }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const address = useBlobUrl(useMemo(() => blob.slice(0, blob.size, type.type), [blob, type]))
  if (isBroken) return <p className={styles.note}>The browser cannot draw it: its bytes are damaged.</p>
  return (
    <button
      type="button"
      className={styles.frame}
      data-open={isOpen || undefined}
      aria-expanded={isOpen}
      aria-label={`Image at ${label}: ${isOpen ? 'make it small' : 'enlarge'}`}
      onClick={() => setOpen(!isOpen)}
    >
      {address !== undefined && (
        <img
          className={styles.image}
          src={address}
          alt={`Image at ${label}`}
          decoding="async"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onSize(`${naturalWidth} × ${naturalHeight}`)
          }
          onError={() => setBroken(true)}
        />
      )}
    </button>
  )
}
