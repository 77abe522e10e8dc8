/** A media type that the page can show. */
export interface MediaType {
  readonly kind: 'image' | 'audio'
  readonly type: string
  /** Display name. */
  readonly label: string
  readonly extension: string
}

/** Bytes that identify the type. */
const SIGNATURE_BYTES = 64

const PNG: MediaType = { kind: 'image', type: 'image/png', label: 'PNG image', extension: 'png' }
const JPEG: MediaType = { kind: 'image', type: 'image/jpeg', label: 'JPEG image', extension: 'jpg' }
const GIF: MediaType = { kind: 'image', type: 'image/gif', label: 'GIF image', extension: 'gif' }
const WEBP: MediaType = { kind: 'image', type: 'image/webp', label: 'WebP image', extension: 'webp' }
const AVIF: MediaType = { kind: 'image', type: 'image/avif', label: 'AVIF image', extension: 'avif' }
const WAV: MediaType = { kind: 'audio', type: 'audio/wav', label: 'WAV audio', extension: 'wav' }
const MP3: MediaType = { kind: 'audio', type: 'audio/mpeg', label: 'MP3 audio', extension: 'mp3' }
const OGG: MediaType = { kind: 'audio', type: 'audio/ogg', label: 'Ogg audio', extension: 'ogg' }
const WEBM: MediaType = { kind: 'audio', type: 'audio/webm', label: 'WebM audio', extension: 'webm' }

/**
 * Detects the type from the first bytes and ignores the type that the payload declares. Only formats that contain
 * nothing but pixels or audio are supported: SVG and HTML can contain scripts and are never rendered.
 */
export function detectMediaType(header: Uint8Array): MediaType | undefined {
  const text = String.fromCharCode(...header.subarray(0, SIGNATURE_BYTES))
  if (text.startsWith('\u0089PNG\r\n\u001A\n')) return PNG
  if (text.startsWith('\u00FF\u00D8\u00FF')) return JPEG
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return GIF
  if (text.startsWith('RIFF')) {
    const format = text.slice(8, 12)
    return format === 'WEBP' ? WEBP : format === 'WAVE' ? WAV : undefined
  }
  if (text.slice(4, 8) === 'ftyp') return /^avi[fs]$/.test(text.slice(8, 12)) ? AVIF : undefined
  if (text.startsWith('OggS')) return OGG
  if (text.startsWith('\u001A\u0045\u00DF\u00A3')) return text.includes('webm') ? WEBM : undefined
  return text.startsWith('ID3') || isMpegFrame(header) ? MP3 : undefined
}

/** Checks an MP3 frame header: sync bits, layer III, valid bit rate and sample rate. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isSynced = first === 0xff && (second & 0xe0) === 0xe0
  const isLayerThree = (second & 0x06) === 0x02 && (second & 0x18) !== 0x08
  return isSynced && isLayerThree && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
}
