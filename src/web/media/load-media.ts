import { api } from '../api/client.ts'
import type { ByteSource } from './byte-source.ts'
import { formatBytes } from '../ui/format.ts'
import { pixelCount, HEADER_BYTES } from './image-size.ts'
import { type MediaType, detectMediaType } from './media-type.ts'
import type { InlineMedia, StoredMedia } from './media-value.ts'

/** Loaded bytes and their detected type. */
export interface LoadedMedia {
  /** Has a neutral type, like all downloads. */
  readonly blob: Blob
  /** `undefined` if the type is not supported. */
  readonly type: MediaType | undefined
  /** Original file name. */
  readonly name: string | undefined
  /** The type that the payload declares. */
  readonly declaredType: string
}

/** Thrown if media is larger than the limit of a request. */
export class MediaTooLargeError extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super(`media is too large: ${formatBytes(bytes)}`)
    this.bytes = bytes
  }
}

const BINARY_TYPE = 'application/octet-stream'
/** An image of 8,000 × 5,000 pixels. */
const MAX_AUTOLOAD_PIXELS = 40_000_000

interface LoadRequest {
  readonly media: InlineMedia | StoredMedia
  /** Source of embedded media. */
  readonly source: ByteSource
  readonly project_id: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Loads media. Throws `MediaTooLargeError` before it reads more than `maxBytes`. */
export async function loadMedia(request: LoadRequest): Promise<LoadedMedia> {
  const { media, source, maxBytes } = request
  if (media.kind === 'stored') return loadStored(request, media)
  const bytes = Math.floor(((media.end - media.at) * 3) / 4)
  if (bytes > maxBytes) throw new MediaTooLargeError(bytes)
  return toLoadedMedia(request, await source.bytes(media.at, media.end, media.encoding), {
    declaredType: media.declaredType,
  })
}

async function loadStored(
  request: LoadRequest,
  { file, metadataFile, declaredType }: StoredMedia,
): Promise<LoadedMedia> {
  const [blob, metadata] = await Promise.all([
    readFile(request, file.digest, request.maxBytes),
    metadataFile === undefined ? { name: file.name } : readMetadata(request, metadataFile.digest),
  ])
  return toLoadedMedia(request, blob, { declaredType, ...metadata })
}

interface FileMetadata {
  readonly name?: string
  readonly declaredType?: string
}

async function toLoadedMedia(
  { maxBytes }: LoadRequest,
  blob: Blob,
  { name, declaredType }: FileMetadata & Pick<LoadedMedia, 'declaredType'>,
): Promise<LoadedMedia> {
  const header = new Uint8Array(await blob.slice(0, HEADER_BYTES).arrayBuffer())
  const type = detectMediaType(header)
  // A small file can decode to more pixels than fit into memory.
  if (type?.kind === 'image' && Number.isFinite(maxBytes) && pixelCount(header) > MAX_AUTOLOAD_PIXELS) {
    throw new MediaTooLargeError(blob.size)
  }
  return { blob: blob.slice(0, blob.size, BINARY_TYPE), type, name, declaredType }
}

async function readFile(
  { project_id, signal }: LoadRequest,
  digest: string,
  maxBytes: number,
): Promise<Blob> {
  const response = await api.response('file_content', { project_id, digest }, signal)
  const bytes = Number(response.headers.get('content-length') ?? 0)
  if (bytes > maxBytes) {
    await response.body?.cancel()
    throw new MediaTooLargeError(bytes)
  }
  return response.blob()
}

const MAX_METADATA_BYTES = 100_000

/** Metadata of a Weave `Content`. Optional: the bytes can be shown without it. */
async function readMetadata(request: LoadRequest, digest: string): Promise<FileMetadata> {
  try {
    const blob = await readFile(request, digest, MAX_METADATA_BYTES)
    const { filename, mimetype } = JSON.parse(await blob.text()) as Readonly<Record<string, unknown>>
    return {
      ...(typeof filename === 'string' && filename !== '' ? { name: filename } : {}),
      ...(typeof mimetype === 'string' && mimetype !== '' ? { declaredType: mimetype } : {}),
    }
  } catch {
    return {}
  }
}
