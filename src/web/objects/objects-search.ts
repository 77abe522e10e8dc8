/** What a list of objects shows, in its address. */
export interface ObjectsSearch {
  /** For kinds that have no address of their own. */
  kind?: string
  /** Part of the name. */
  name?: string
}

export function readObjectsSearch(search: Readonly<Record<string, unknown>>): ObjectsSearch {
  const { kind, name } = search
  return {
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  }
}

/** What the page of one version shows. */
export interface VersionSearch {
  tab?: string
  /** A row of a dataset that is open beside the others. */
  row?: string
  /** `on` while a dataset is edited. */
  edit?: string
}

export function readVersionSearch(search: Readonly<Record<string, unknown>>): VersionSearch {
  const read: VersionSearch = {}
  for (const key of ['tab', 'row', 'edit'] as const) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}

/** Which two versions are compared: digests, `latest`, `v3` or aliases. */
export interface DiffSearch {
  from?: string
  to?: string
  layout?: string
}

export function readDiffSearch(search: Readonly<Record<string, unknown>>): DiffSearch {
  const read: DiffSearch = {}
  for (const key of ['from', 'to', 'layout'] as const) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
