import { api } from '../api/client.ts'
import type { JsonSource } from '../json/json-source.ts'
import { formatBytes } from '../ui/format.ts'
import { pixelsOf, SIZE_BYTES } from './image-size.ts'
import { type MediaType, mediaTypeOf } from './media-type.ts'
import type { InlineMedia, StoredMedia } from './media-value.ts'

/** Bytes that were read, and what they are. */
export interface ReadMedia {
  /** Of the neutral type, as everything that is downloaded. */
  readonly blob: Blob
  /** undefined for what is not shown. */
  readonly type: MediaType | undefined
  /** As it was called by whoever stored it. */
  readonly name: string | undefined
  /** The type that they said it has. */
  readonly claimed: string
}

/** More than was asked for. */
export class TooLarge extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super(`it has ${formatBytes(bytes)}`)
    this.bytes = bytes
  }
}

const NEUTRAL = 'application/octet-stream'
/** A picture of 8,000 by 5,000. */
const UNASKED_PIXELS = 40_000_000

interface Asked {
  readonly media: InlineMedia | StoredMedia
  /** Where a value that stands in a document is read. */
  readonly source: JsonSource
  readonly project_id: string
  readonly mostBytes: number
  readonly signal: AbortSignal
}

/** Throws `TooLarge` before it reads more bytes than it may. */
export async function readMedia(asked: Asked): Promise<ReadMedia> {
  const { media, source, mostBytes } = asked
  if (media.kind === 'stored') return readStored(asked, media)
  const bytes = Math.floor(((media.end - media.at) * 3) / 4)
  if (bytes > mostBytes) throw new TooLarge(bytes)
  return found(asked, await source.bytes(media.at, media.end, media.form), { claimed: media.claimed })
}

async function readStored(asked: Asked, { file, about, claimed }: StoredMedia): Promise<ReadMedia> {
  const [blob, words] = await Promise.all([
    readFile(asked, file.digest, asked.mostBytes),
    about === undefined ? { name: file.name } : readWords(asked, about.digest),
  ])
  return found(asked, blob, { claimed, ...words })
}

interface Words {
  readonly name?: string
  readonly claimed?: string
}

async function found(
  { mostBytes }: Asked,
  blob: Blob,
  { name, claimed }: Words & Pick<ReadMedia, 'claimed'>,
): Promise<ReadMedia> {
  const head = new Uint8Array(await blob.slice(0, SIZE_BYTES).arrayBuffer())
  const type = mediaTypeOf(head)
  // A few bytes can stand for more pixels than there is memory for.
  if (type?.kind === 'image' && Number.isFinite(mostBytes) && pixelsOf(head) > UNASKED_PIXELS) {
    throw new TooLarge(blob.size)
  }
  return { blob: blob.slice(0, blob.size, NEUTRAL), type, name, claimed }
}

async function readFile({ project_id, signal }: Asked, digest: string, mostBytes: number): Promise<Blob> {
  const response = await api.response('file_content', { project_id, digest }, signal)
  const bytes = Number(response.headers.get('content-length') ?? 0)
  if (bytes > mostBytes) {
    await response.body?.cancel()
    throw new TooLarge(bytes)
  }
  return response.blob()
}

const WORDS_BYTES = 100_000

/** What weave's `Content` says about itself. Without it there still are the bytes. */
async function readWords(asked: Asked, digest: string): Promise<Words> {
  try {
    const blob = await readFile(asked, digest, WORDS_BYTES)
    const { filename, mimetype } = JSON.parse(await blob.text()) as Readonly<Record<string, unknown>>
    return {
      ...(typeof filename === 'string' && filename !== '' ? { name: filename } : {}),
      ...(typeof mimetype === 'string' && mimetype !== '' ? { claimed: mimetype } : {}),
    }
  } catch {
    return {}
  }
}
