import type { MediaType } from './media-type.ts'

/**
 * A safe file name for a download, from an untrusted name: no directories, no characters that hide the type. Known
 * media types get their own extension.
 */
export function downloadName(name: string | undefined, type: MediaType | undefined): string {
  const baseName = (name ?? '').split(/[/\\]/).at(-1) ?? ''
  const sanitized = baseName
    .replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-100)
  if (type === undefined) return sanitized === '' ? 'file.bin' : sanitized
  const stem = sanitized.replace(/\.\w{1,5}$/, '')
  return `${stem === '' ? type.kind : stem}.${type.extension}`
}
