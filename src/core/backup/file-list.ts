/** Reads `.backup`, the list of files that ClickHouse writes at the end of a backup. */

/** ClickHouse gives every backup a UUID, which is compared with the base that is read. */
export interface FileListLinks {
  readonly uuid: string | undefined
  /** Where the base was when the backup was made, as in a statement. Undefined for a full backup. */
  readonly base: string | undefined
  readonly baseUuid: string | undefined
}

export function parseLinks(xml: string): FileListLinks {
  const base = element(xml, 'base_backup')
  return {
    uuid: element(xml, 'uuid'),
    base: base === undefined ? undefined : unescapeXml(base),
    baseUuid: element(xml, 'base_backup_uuid'),
  }
}

/** The same list, for a base that is elsewhere. */
export function replaceBase(xml: string, base: string): string {
  return xml.replace(BASE, () => `<base_backup>${escapeXml(base)}</base_backup>`)
}

const BASE = /<base_backup>.*?<\/base_backup>/s

/** The file of a part that has its number of rows. */
interface CountFile {
  readonly table: string
  readonly checksum: string
  /** Where its bytes are in this backup; undefined if they are in the base. */
  readonly path: string | undefined
}

export interface FileList {
  readonly countFiles: readonly CountFile[]
  /** Compressed bytes by table. */
  readonly bytes: ReadonlyMap<string, number>
}

export function parseFileList(xml: string): FileList {
  const countFiles: CountFile[] = []
  const bytes = new Map<string, number>()
  for (const [, entry = ''] of xml.matchAll(/<file>(.*?)<\/file>/gs)) {
    const name = element(entry, 'name') ?? ''
    // data/DATABASE/TABLE/PART/FILE; a projection is a directory within the part.
    const [kind, , table, , ...rest] = name.split('/')
    if (kind !== 'data' || table === undefined) continue
    bytes.set(table, (bytes.get(table) ?? 0) + Number(element(entry, 'size') ?? 0))
    if (rest.join('/') !== 'count.txt') continue
    const isInBase = element(entry, 'use_base') === 'true'
    const path = isInBase ? undefined : (element(entry, 'data_file') ?? name)
    countFiles.push({ table, checksum: element(entry, 'checksum') ?? '', path })
  }
  return { countFiles, bytes }
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
