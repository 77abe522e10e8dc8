import { useEffect, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import type { ByteSource } from './byte-source.ts'
import type { InlineMedia, StoredMedia } from './media-value.ts'
import { type LoadedMedia, loadMedia, MediaTooLargeError } from './load-media.ts'

/** Larger media is not loaded automatically; the user has to request it. */
const MAX_AUTOLOAD_BYTES = 4_000_000

export type MediaState =
  | { readonly status: 'loading' }
  | { readonly status: 'large'; readonly bytes: number }
  | { readonly status: 'error'; readonly error: unknown }
  | { readonly status: 'loaded'; readonly media: LoadedMedia }

const LOADING: MediaState = { status: 'loading' }

/** Loads media once it is in view, or without a size limit if the user requested it. */
export function useMedia(
  media: InlineMedia | StoredMedia,
  source: ByteSource,
  isInView: boolean,
  isRequested: boolean,
): MediaState {
  const { project_id } = useProject()
  const [state, setState] = useState<MediaState>(LOADING)
  const loadedPosition = useRef<string>(undefined)
  const position = media.kind === 'inline' ? `${media.at}` : media.file.digest
  useEffect(() => {
    if (!isInView && !isRequested) return undefined
    const abortController = new AbortController()
    const read = async (): Promise<void> => {
      const maxBytes = isRequested ? Number.POSITIVE_INFINITY : MAX_AUTOLOAD_BYTES
      const next = await loadMedia({
        media,
        source,
        project_id,
        maxBytes,
        signal: abortController.signal,
      }).then(
        (loaded): MediaState => ({ status: 'loaded', media: loaded }),
        (error: unknown): MediaState =>
          error instanceof MediaTooLargeError
            ? { status: 'large', bytes: error.bytes }
            : { status: 'error', error },
      )
      if (abortController.signal.aborted) return
      loadedPosition.current = next.status === 'loaded' ? position : undefined
      setState(next)
    }
    // When the call is read again, its media stays until it is loaded again: an enlarged image stays large and focused.
    if (loadedPosition.current !== position) setState(LOADING)
    void read()
    return () => abortController.abort()
    // The same position in the same document is the same value.
  }, [source, position, project_id, isInView, isRequested])
  return state
}
