/** An image or a sound that the page shows. */
export interface MediaType {
  readonly kind: 'image' | 'audio'
  readonly type: string
  /** For people, and for the name of a download. */
  readonly label: string
  readonly extension: string
}

/** So many bytes tell what they are. */
const HEAD_BYTES = 64

const PNG: MediaType = { kind: 'image', type: 'image/png', label: 'PNG image', extension: 'png' }
const JPEG: MediaType = { kind: 'image', type: 'image/jpeg', label: 'JPEG image', extension: 'jpg' }
const GIF: MediaType = { kind: 'image', type: 'image/gif', label: 'GIF image', extension: 'gif' }
const WEBP: MediaType = { kind: 'image', type: 'image/webp', label: 'WebP image', extension: 'webp' }
const AVIF: MediaType = { kind: 'image', type: 'image/avif', label: 'AVIF image', extension: 'avif' }
const WAV: MediaType = { kind: 'audio', type: 'audio/wav', label: 'WAV sound', extension: 'wav' }
const MP3: MediaType = { kind: 'audio', type: 'audio/mpeg', label: 'MP3 sound', extension: 'mp3' }
const OGG: MediaType = { kind: 'audio', type: 'audio/ogg', label: 'Ogg sound', extension: 'ogg' }
const WEBM: MediaType = { kind: 'audio', type: 'audio/webm', label: 'WebM sound', extension: 'webm' }

/**
 * What bytes are, by how they begin; whatever the payload says they are does not count. Only formats that hold nothing
 * but pixels or sound are known: SVG and HTML can hold scripts, and are never drawn.
 */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES))
  if (text.startsWith('\u0089PNG\r\n\u001A\n')) return PNG
  if (text.startsWith('\u00FF\u00D8\u00FF')) return JPEG
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return GIF
  if (text.startsWith('RIFF')) {
    const form = text.slice(8, 12)
    return form === 'WEBP' ? WEBP : form === 'WAVE' ? WAV : undefined
  }
  if (text.slice(4, 8) === 'ftyp') return /^avi[fs]$/.test(text.slice(8, 12)) ? AVIF : undefined
  if (text.startsWith('OggS')) return OGG
  if (text.startsWith('\u001A\u0045\u00DF\u00A3')) return text.includes('webm') ? WEBM : undefined
  return text.startsWith('ID3') || isMpegFrame(head) ? MP3 : undefined
}

/** Eleven bits of ones, the third layer, then a bit rate and a sampling rate that exist. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isSynced = first === 0xff && (second & 0xe0) === 0xe0
  const isThird = (second & 0x06) === 0x02 && (second & 0x18) !== 0x08
  return isSynced && isThird && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
}
