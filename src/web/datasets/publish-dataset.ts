import { JsonText } from '../../client/browser/json-text.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import type { Draft, RowUpdate } from './draft.ts'
import { draftUpdates } from './draft.ts'
import { withCell } from './row-text.ts'
import { type TableSource, tableSource } from './table-rows.ts'

/** The maximum size of a request, in characters. Servers and proxies reject much larger bodies. */
const MAX_REQUEST_CHARACTERS = 3_000_000
const MAX_REQUEST_ROWS = 5000

function* batches<T>(items: readonly T[], sizeOf: (item: T) => number): Generator<T[]> {
  let group: T[] = []
  let size = 0
  for (const item of items) {
    if (
      group.length > 0 &&
      (size + sizeOf(item) > MAX_REQUEST_CHARACTERS || group.length === MAX_REQUEST_ROWS)
    ) {
      yield group
      group = []
      size = 0
    }
    group.push(item)
    size += sizeOf(item)
  }
  if (group.length > 0) yield group
}

/** Creates a table and returns its digest. Many rows take several requests, which are combined by row digests. */
async function createTable(
  { project_id }: Project,
  rows: readonly string[],
  onProgress: (count: number) => void = () => undefined,
): Promise<string> {
  const groups = [...batches(rows, (row) => row.length)]
  if (groups.length <= 1) {
    const table = { project_id, rows: rows.map((row) => new JsonText(row)) }
    const { digest } = await api.call('table_create', { table })
    onProgress(rows.length)
    return digest
  }
  const row_digests: string[] = []
  for (const group of groups) {
    const table = { project_id, rows: group.map((row) => new JsonText(row)) }
    const created = await api.call('table_create', { table })
    row_digests.push(...created.row_digests)
    onProgress(row_digests.length)
  }
  const { digest } = await api.call('table_create_from_digests', { project_id, row_digests })
  return digest
}

function updateSize(update: RowUpdate): number {
  return 'append' in update ? update.append.row.length : 'insert' in update ? update.insert.row.length : 20
}

function toRequestUpdate(update: RowUpdate) {
  if ('append' in update) return { append: { row: new JsonText(update.append.row) } }
  if ('pop' in update) return update
  return { insert: { index: update.insert.index, row: new JsonText(update.insert.row) } }
}

/** Applies updates to a table and returns the new digest. Rows without updates keep their digests. */
async function updateTable(
  { project_id }: Project,
  digest: string,
  updates: readonly RowUpdate[],
): Promise<string> {
  let base_digest = digest
  for (const group of batches(updates, updateSize)) {
    const response = await api.call('table_update', {
      project_id,
      base_digest,
      updates: group.map(toRequestUpdate),
    })
    base_digest = response.digest
  }
  return base_digest
}

function tableRef(project_id: string, digest: string): string {
  return JSON.stringify(formatRef({ kind: 'table', project_id, id: digest, path: [] }))
}

/** Publishes a version whose value is `val` with the rows of another table. Everything else keeps its exact spelling. */
async function publishWithTable(
  { project_id }: Project,
  name: string,
  val: string,
  table: string,
): Promise<string> {
  const next = new JsonText(withCell(val, 'rows', tableRef(project_id, table)))
  const { digest } = await api.call('obj_create', { obj: { project_id, object_id: name, val: next } })
  return digest
}

async function applyUpdates(
  project: Project,
  source: TableSource,
  updates: readonly RowUpdate[],
): Promise<string> {
  const digest = source.kind === 'stored' ? source.digest : await createTable(project, source.rows)
  return updateTable(project, digest, updates)
}

/** Publishes a draft and returns the digest of the new version. */
export async function publishDraft(
  project: Project,
  name: string,
  val: string,
  source: TableSource,
  draft: Draft,
): Promise<string> {
  return publishWithTable(project, name, val, await applyUpdates(project, source, draftUpdates(draft)))
}

/** The value of a dataset, in the form that the SDKs publish. */
function datasetVal(project_id: string, name: string, table: string): string {
  const head = {
    _type: 'Dataset',
    name,
    description: null,
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  }
  return withCell(JSON.stringify(head), 'rows', tableRef(project_id, table))
}

export interface Target {
  readonly name: string
  /** Whether to create a dataset, or to replace or append to the rows of the existing one in a new version. */
  readonly mode: 'new' | 'replace' | 'append'
}

/** Publishes rows and returns the digest of the new version. */
export async function publishToTarget(
  project: Project,
  { name, mode }: Target,
  rows: readonly string[],
  onProgress?: (count: number) => void,
): Promise<string> {
  const { project_id } = project
  if (mode === 'new') {
    const table = await createTable(project, rows, onProgress)
    const val = new JsonText(datasetVal(project_id, name, table))
    const { digest } = await api.call('obj_create', { obj: { project_id, object_id: name, val } })
    return digest
  }
  const { obj } = await api.call('obj_read', { project_id, object_id: name, digest: 'latest' })
  const val = obj.val.text
  const source = tableSource(val)
  if (mode === 'replace' || source === undefined) {
    return publishWithTable(project, name, val, await createTable(project, rows, onProgress))
  }
  const updates = rows.map((row) => ({ append: { row } }))
  const digest = await publishWithTable(project, name, val, await applyUpdates(project, source, updates))
  onProgress?.(rows.length)
  return digest
}

/** The reason why a text is not a valid object name; undefined if it is valid. */
export function nameError(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  if (!/^[\p{L}\p{N}\p{M}_.-]+$/u.test(name)) return 'Use only letters, digits, “_”, “.” and “-”'
  return Array.from(name).length > 128 ? 'At most 128 characters' : undefined
}

/** A valid dataset name made from a file name. */
export function datasetNameFromFile(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{N}\p{M}_.-]+/gu, '-')
  return base.replaceAll(/^-+|-+$/g, '').slice(0, 100)
}
