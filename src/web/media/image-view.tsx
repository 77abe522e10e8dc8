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

/** Image thumbnail that enlarges on click. */
export function ImageView({ blob, type, label, onSize }: Props) {
  const [isEnlarged, setEnlarged] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const url = useBlobUrl(useMemo(() => blob.slice(0, blob.size, type.type), [blob, type]))
  if (isBroken) return <p className="faint wrap">The image cannot be displayed: its data is damaged.</p>
  return (
    <button
      type="button"
      className={styles.frame}
      data-open={isEnlarged || undefined}
      aria-expanded={isEnlarged}
      aria-label={`Image at ${label}: ${isEnlarged ? 'shrink' : 'enlarge'}`}
      onClick={() => setEnlarged(!isEnlarged)}
    >
      {url !== undefined && (
        <img
          className={styles.image}
          src={url}
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
