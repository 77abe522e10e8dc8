import { useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import type { ByteSource } from './byte-source.ts'
import { formatBytes } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { BytesAsText } from './bytes-as-text.tsx'
import { downloadName } from './download-name.ts'
import { ImageView } from './image-view.tsx'
import type { MediaType } from './media-type.ts'
import type { InlineMedia, MediaValue, StoredMedia } from './media-value.ts'
import styles from './media-view.module.css'
import { type LoadedMedia, loadMedia } from './load-media.ts'
import { RemoteUrl } from './remote-url.tsx'
import { saveBlob } from './save-blob.ts'
import { AudioView } from './audio-view.tsx'
import { useMedia } from './use-media.ts'
import { useInView } from './use-in-view.ts'

interface Props {
  readonly media: MediaValue
  /** The document that contains embedded media. */
  readonly source: ByteSource
  /** Path of the value, for accessible names: `inputs.image`. */
  readonly label: string
}

/** Shows an image or audio of a payload, or offers a file for download. */
export function MediaView({ media, source, label }: Props) {
  if (media.kind === 'remote') return <RemoteUrl url={media.url} />
  if (!isLikelyDisplayable(media)) return <FileDownload media={media} source={source} label={label} />
  return <BytesView media={media} source={source} label={label} />
}

/** Other files are not loaded until the user downloads them. */
function isLikelyDisplayable(media: InlineMedia | StoredMedia): boolean {
  if (media.kind === 'inline') return true
  return (
    /^PIL\.|^wave\.|\.(?:Audio|Content)$/.test(media.declaredType) ||
    /\.(?:png|jpe?g|gif|webp|avif|wav|mp3|ogg|webm)$/i.test(media.file.name)
  )
}

interface BytesProps {
  readonly media: InlineMedia | StoredMedia
  readonly source: ByteSource
  readonly label: string
}

function BytesView({ media, source, label }: BytesProps) {
  const figure = useRef<HTMLElement>(null)
  const isInView = useInView(figure)
  const [isRequested, setRequested] = useState(false)
  const state = useMedia(media, source, isInView, isRequested)
  return (
    <figure ref={figure} className={styles.media} aria-label={`Media at ${label}`}>
      {state.status === 'loading' && <p className="faint wrap">Loading {declaredTypeLabel(media)}…</p>}
      {state.status === 'error' && (
        <p className="faint wrap" role="status">
          {declaredTypeLabel(media)} could not be loaded:{' '}
          {state.error instanceof Error ? visibleText(state.error.message) : 'unknown error'}
        </p>
      )}
      {state.status === 'large' && (
        <div className={styles.caption}>
          <span className="faint wrap">
            {declaredTypeLabel(media)}, {formatBytes(state.bytes)}
          </span>
          <button type="button" className={styles.action} onClick={() => setRequested(true)}>
            Show
          </button>
          <DownloadButton media={media} source={source} label={label} />
        </div>
      )}
      {state.status === 'loaded' && (
        <LoadedView media={media} source={source} label={label} loaded={state.media} />
      )}
    </figure>
  )
}

function LoadedView({ loaded, ...props }: BytesProps & { readonly loaded: LoadedMedia }) {
  const [dimensions, setDimensions] = useState<string>()
  const { type, blob, name } = loaded
  return (
    <>
      {type?.kind === 'image' && (
        <ImageView blob={blob} type={type} label={props.label} onSize={setDimensions} />
      )}
      {type?.kind === 'audio' && (
        <AudioView blob={blob} type={type} label={props.label} onDuration={setDimensions} />
      )}
      <figcaption className={styles.caption}>
        <span className="faint wrap">
          {type?.label ?? unsupportedLabel(loaded.declaredType)}
          {dimensions !== undefined && ` · ${dimensions}`} · {formatBytes(blob.size)}
          {name !== undefined && (
            <>
              {' · '}
              <span className="isolate">{visibleText(name.slice(0, 100))}</span>
            </>
          )}
        </span>
        <DownloadButton {...props} loaded={loaded} />
      </figcaption>
      {type === undefined && <BytesAsText blob={blob} />}
    </>
  )
}

function FileDownload(props: BytesProps) {
  return (
    <div className={styles.media}>
      <div className={styles.caption}>
        <span className="faint wrap">{declaredTypeLabel(props.media)}</span>
        <DownloadButton {...props} />
      </div>
    </div>
  )
}

/** The declared type, quoted. */
function declaredTypeLabel({ declaredType }: { readonly declaredType: string }): string {
  return `“${visibleText(declaredType.slice(0, 100))}”`
}

/** Label of bytes that cannot be shown; warns if they are declared as image or audio. */
function unsupportedLabel(declaredType: string): string {
  const isDeclaredMedia = /^(?:image|audio)\b|^PIL\.|^wave\.|\.Audio$/.test(declaredType)
  return isDeclaredMedia
    ? `Declared as ${declaredTypeLabel({ declaredType })}, but the bytes are not a supported image or audio format`
    : declaredTypeLabel({ declaredType })
}

function DownloadButton({ media, source, label, loaded }: BytesProps & { readonly loaded?: LoadedMedia }) {
  const { project_id } = useProject()
  const [hasFailed, setHasFailed] = useState(false)
  const save = async (): Promise<void> => {
    try {
      const { signal } = new AbortController()
      const maxBytes = Number.POSITIVE_INFINITY
      const read = loaded ?? (await loadMedia({ media, source, project_id, maxBytes, signal }))
      saveBlob(read.blob, downloadName(originalName(read, media, read.type), read.type))
      setHasFailed(false)
    } catch {
      setHasFailed(true)
    }
  }
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={`Download ${label}`}
      onClick={() => void save()}
    >
      <Icon name="download" size={12} /> {hasFailed ? 'Download failed' : 'Download'}
    </button>
  )
}

/** The original file name. Weave names the file of every `Content` `content`, which is not a useful name. */
function originalName(
  read: LoadedMedia,
  media: BytesProps['media'],
  type: MediaType | undefined,
): string | undefined {
  const name = read.name ?? (media.kind === 'stored' ? media.file.name : undefined)
  return name === 'content' && type !== undefined ? undefined : name
}
