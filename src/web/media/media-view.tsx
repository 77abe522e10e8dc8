import { useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import type { JsonSource } from '../json/json-source.ts'
import { formatBytes } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { BytesAsText } from './bytes-as-text.tsx'
import { downloadName } from './download-name.ts'
import { ImageView } from './image-view.tsx'
import type { MediaType } from './media-type.ts'
import type { InlineMedia, MediaValue, StoredMedia } from './media-value.ts'
import styles from './media-view.module.css'
import { type ReadMedia, readMedia } from './read-media.ts'
import { RemoteAddress } from './remote-address.tsx'
import { saveBlob } from './save-blob.ts'
import { SoundView } from './sound-view.tsx'
import { useMedia } from './use-media.ts'
import { useSeen } from './use-seen.ts'

interface Props {
  readonly media: MediaValue
  /** The document in which it stands. */
  readonly source: JsonSource
  /** Where it stands, for who cannot see it: `inputs.image`. */
  readonly label: string
}

/** An image or a sound of a payload, or a file to save. */
export function MediaView({ media, source, label }: Props) {
  if (media.kind === 'remote') return <RemoteAddress address={media.address} />
  if (!isLikelyShown(media)) return <FileOnly media={media} source={source} label={label} />
  return <BytesView media={media} source={source} label={label} />
}

/** Files of other types are left alone until somebody wants them. */
function isLikelyShown(media: InlineMedia | StoredMedia): boolean {
  if (media.kind === 'inline') return true
  return (
    /^PIL\.|^wave\.|\.(?:Audio|Content)$/.test(media.claimed) ||
    /\.(?:png|jpe?g|gif|webp|avif|wav|mp3|ogg|webm)$/i.test(media.file.name)
  )
}

interface BytesProps {
  readonly media: InlineMedia | StoredMedia
  readonly source: JsonSource
  readonly label: string
}

function BytesView({ media, source, label }: BytesProps) {
  const figure = useRef<HTMLElement>(null)
  const isSeen = useSeen(figure)
  const [isAsked, setAsked] = useState(false)
  const state = useMedia(media, source, isSeen, isAsked)
  return (
    <figure ref={figure} className={styles.media} aria-label={`Media at ${label}`}>
      {state.step === 'reading' && <p className={styles.note}>Reading {claimedText(media)}…</p>}
      {state.step === 'failed' && (
        <p className={styles.note} role="status">
          {claimedText(media)} cannot be read:{' '}
          {state.error instanceof Error ? visibleText(state.error.message) : 'something went wrong'}
        </p>
      )}
      {state.step === 'large' && (
        <div className={styles.facts}>
          <span className={styles.note}>
            {claimedText(media)}, {formatBytes(state.bytes)}
          </span>
          <button type="button" className={styles.action} onClick={() => setAsked(true)}>
            Show it
          </button>
          <Save media={media} source={source} label={label} />
        </div>
      )}
      {state.step === 'read' && <Shown media={media} source={source} label={label} found={state.found} />}
    </figure>
  )
}

function Shown({ found, ...props }: BytesProps & { readonly found: ReadMedia }) {
  const [about, setAbout] = useState<string>()
  const { type, blob, name } = found
  return (
    <>
      {type?.kind === 'image' && <ImageView blob={blob} type={type} label={props.label} onSize={setAbout} />}
      {type?.kind === 'audio' && (
        <SoundView blob={blob} type={type} label={props.label} onLength={setAbout} />
      )}
      <figcaption className={styles.facts}>
        <span className={styles.note}>
          {type?.label ?? otherText(found.claimed)}
          {about !== undefined && ` · ${about}`} · {formatBytes(blob.size)}
          {name !== undefined && (
            <>
              {' · '}
              <span className="foreign">{visibleText(name.slice(0, 100))}</span>
            </>
          )}
        </span>
        <Save {...props} found={found} />
      </figcaption>
      {type === undefined && <BytesAsText blob={blob} />}
    </>
  )
}

function FileOnly(props: BytesProps) {
  return (
    <div className={styles.media}>
      <div className={styles.facts}>
        <span className={styles.note}>{claimedText(props.media)}</span>
        <Save {...props} />
      </div>
    </div>
  )
}

/** The payload's own words for it. */
function claimedText({ claimed }: { readonly claimed: string }): string {
  return `“${visibleText(claimed.slice(0, 100))}”`
}

/** For what is not shown: whether it says that it could be. */
function otherText(claimed: string): string {
  const isClaimed = /^(?:image|audio)\b|^PIL\.|^wave\.|\.Audio$/.test(claimed)
  return isClaimed
    ? `Said to be ${claimedText({ claimed })}, but its bytes are no image or sound that is shown here`
    : claimedText({ claimed })
}

function Save({ media, source, label, found }: BytesProps & { readonly found?: ReadMedia }) {
  const { project_id } = useProject()
  const [isRefused, setRefused] = useState(false)
  const save = async (): Promise<void> => {
    try {
      const { signal } = new AbortController()
      const mostBytes = Number.POSITIVE_INFINITY
      const read = found ?? (await readMedia({ media, source, project_id, mostBytes, signal }))
      saveBlob(read.blob, downloadName(nameOf(read, media, read.type), read.type))
      setRefused(false)
    } catch {
      setRefused(true)
    }
  }
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={`Download ${label}`}
      onClick={() => void save()}
    >
      <Icon name="download" size={12} /> {isRefused ? 'It cannot be read' : 'Download'}
    </button>
  )
}

/** `content` is what weave calls the bytes of every `Content`. */
function nameOf(
  read: ReadMedia,
  media: BytesProps['media'],
  type: MediaType | undefined,
): string | undefined {
  const name = read.name ?? (media.kind === 'stored' ? media.file.name : undefined)
  return name === 'content' && type !== undefined ? undefined : name
}
