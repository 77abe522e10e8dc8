import type { MediaType } from './media-type.ts'

/**
 * A name for a file that is saved, out of a name that somebody else wrote: no folders, no characters that hide what
 * it is. What is known by its bytes has the ending that says so.
 */
export function downloadName(name: string | undefined, type: MediaType | undefined): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-100)
  if (type === undefined) return clean === '' ? 'file.bin' : clean
  const stem = clean.replace(/\.\w{1,5}$/, '')
  return `${stem === '' ? type.kind : stem}.${type.extension}`
}
