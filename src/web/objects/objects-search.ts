import type { DatasetSearch } from '../datasets/dataset-search.ts'

/** The URL search parameters of the object list. */
export interface ObjectsSearch {
  /** For kinds without a URL segment of their own. */
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

/** The URL search parameters of a version page. */
export interface VersionSearch extends DatasetSearch {
  tab?: string
  /** Column that sorts a leaderboard, after `-` if descending. */
  sort?: string
}

export function readVersionSearch(search: Readonly<Record<string, unknown>>): VersionSearch {
  const read: VersionSearch = {}
  for (const key of ['tab', 'row', 'edit', 'sort'] as const) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}

/** The URL search parameters of the diff page. Versions are digests, `latest`, `v3` or aliases. */
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
