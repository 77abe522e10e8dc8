import type { ObjectVersion } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type Label, listLabels } from '../../store/objects/object-labels.ts'
import type { VersionRow } from '../../store/objects/object-versions.ts'
import { contentKey, findContents } from '../../store/objects/objects.ts'
import type { Deps } from '../deps.ts'

const EMPTY = RawJson.fromText('{}')

interface VersionViewOptions {
  readonly values: boolean
  readonly labels: boolean
  readonly sizes: boolean
}

/** Builds the API views of versions. Parts that were not requested are not read. */
export async function viewVersions(
  { db }: Deps,
  project_id: string,
  rows: readonly VersionRow[],
  shown: VersionViewOptions,
): Promise<ObjectVersion[]> {
  const contents = shown.values ? await findContents(db, project_id, rows) : undefined
  const names = [...new Set(rows.map((row) => row.object_id))]
  const labels = shown.labels ? labelsByVersion(await listLabels(db, project_id, names)) : undefined
  return rows.map((row) => ({
    project_id,
    object_id: row.object_id,
    created_at: row.created_at,
    digest: row.digest,
    version_index: row.version_index,
    is_latest: row.is_latest,
    kind: row.kind,
    ...viewClasses(row),
    val: contents?.get(contentKey(row))?.val ?? EMPTY,
    wb_user_id: row.wb_user_id === '' ? null : row.wb_user_id,
    size_bytes: shown.sizes ? row.size_bytes : null,
    ...(labels === undefined ? NO_LABELS : viewLabels(labels.get(contentKey(row)) ?? [], row)),
  }))
}

const NO_LABELS = { tags: null, aliases: null }

function labelsByVersion(labels: readonly Label[]): Map<string, Label[]> {
  const found = new Map<string, Label[]>()
  for (const label of labels) {
    const key = contentKey(label)
    found.set(key, [...(found.get(key) ?? []), label])
  }
  return found
}

/** `latest` is listed as an alias, because it can be used like one. */
function viewLabels(labels: readonly Label[], row: VersionRow): { tags: string[]; aliases: string[] } {
  const ofKind = (kind: Label['kind']): string[] =>
    labels.flatMap((each) => (each.kind === kind ? [each.label] : []))
  return {
    tags: ofKind('tag'),
    aliases: row.is_latest === 1 ? [...ofKind('alias'), 'latest'] : ofKind('alias'),
  }
}

/** The store writes '' for no class; the API returns null. */
export function viewClasses(row: VersionRow): {
  base_object_class: string | null
  leaf_object_class: string | null
} {
  return {
    base_object_class: row.base_object_class === '' ? null : row.base_object_class,
    leaf_object_class: row.leaf_object_class === '' ? null : row.leaf_object_class,
  }
}
