import { useEffect, useState } from 'react'
import { useProject } from '../api/project.ts'
import type { JsonSource } from '../json/json-source.ts'
import type { InlineMedia, StoredMedia } from './media-value.ts'
import { type ReadMedia, readMedia, TooLarge } from './read-media.ts'

/** So many bytes are read because somebody scrolled there; for more they are asked. */
const UNASKED_BYTES = 4_000_000

export type MediaState =
  | { readonly step: 'reading' }
  | { readonly step: 'large'; readonly bytes: number }
  | { readonly step: 'failed'; readonly error: unknown }
  | { readonly step: 'read'; readonly found: ReadMedia }

const READING: MediaState = { step: 'reading' }

/** Reads it once `isSeen`, however large it is if `isAsked`. */
export function useMedia(
  media: InlineMedia | StoredMedia,
  source: JsonSource,
  isSeen: boolean,
  isAsked: boolean,
): MediaState {
  const { project_id } = useProject()
  const [state, setState] = useState<MediaState>(READING)
  const where = media.kind === 'inline' ? `${media.at}` : media.file.digest
  useEffect(() => {
    if (!isSeen && !isAsked) return undefined
    const leaving = new AbortController()
    const read = async (): Promise<void> => {
      const mostBytes = isAsked ? Number.POSITIVE_INFINITY : UNASKED_BYTES
      const next = await readMedia({ media, source, project_id, mostBytes, signal: leaving.signal }).then(
        (found): MediaState => ({ step: 'read', found }),
        (error: unknown): MediaState =>
          error instanceof TooLarge ? { step: 'large', bytes: error.bytes } : { step: 'failed', error },
      )
      if (!leaving.signal.aborted) setState(next)
    }
    setState(READING)
    void read()
    return () => leaving.abort()
    // The same place of the same document is the same value.
  }, [source, where, project_id, isSeen, isAsked])
  return state
}
