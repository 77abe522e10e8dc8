import { JsonText } from '../../client/browser/json-text.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import type { Draft, RowUpdate } from './draft.ts'
import { updatesOf } from './draft.ts'
import { withCell } from './row-text.ts'
import { type TableSource, tableOf } from './table-rows.ts'

/** What a request may weigh, in characters; servers and proxies refuse bodies that are much larger. */
const REQUEST_CHARACTERS = 3_000_000
const REQUEST_ROWS = 5000

function* inGroups<T>(items: readonly T[], sizeOf: (item: T) => number): Generator<T[]> {
  let group: T[] = []
  let size = 0
  for (const item of items) {
    if (group.length > 0 && (size + sizeOf(item) > REQUEST_CHARACTERS || group.length === REQUEST_ROWS)) {
      yield group
      group = []
      size = 0
    }
    group.push(item)
    size += sizeOf(item)
  }
  if (group.length > 0) yield group
}

/** Stores a table and tells its digest. Many rows go in several requests, and are put together by their digests. */
async function storeTable(
  { project_id }: Project,
  rows: readonly string[],
  onDone: (count: number) => void = () => undefined,
): Promise<string> {
  const groups = [...inGroups(rows, (row) => row.length)]
  if (groups.length <= 1) {
    const table = { project_id, rows: rows.map((row) => new JsonText(row)) }
    const { digest } = await api.call('table_create', { table })
    onDone(rows.length)
    return digest
  }
  const row_digests: string[] = []
  for (const group of groups) {
    const table = { project_id, rows: group.map((row) => new JsonText(row)) }
    const made = await api.call('table_create', { table })
    row_digests.push(...made.row_digests)
    onDone(row_digests.length)
  }
  const { digest } = await api.call('table_create_from_digests', { project_id, row_digests })
  return digest
}

function sizeOf(update: RowUpdate): number {
  return 'append' in update ? update.append.row.length : 'insert' in update ? update.insert.row.length : 20
}

function inRequest(update: RowUpdate) {
  if ('append' in update) return { append: { row: new JsonText(update.append.row) } }
  if ('pop' in update) return update
  return { insert: { index: update.insert.index, row: new JsonText(update.insert.row) } }
}

/** The table with the updates applied; rows that no update names keep their digests. */
async function updateTable(
  { project_id }: Project,
  digest: string,
  updates: readonly RowUpdate[],
): Promise<string> {
  let base_digest = digest
  for (const group of inGroups(updates, sizeOf)) {
    const answer = await api.call('table_update', { project_id, base_digest, updates: group.map(inRequest) })
    base_digest = answer.digest
  }
  return base_digest
}

function tableRef(project_id: string, digest: string): string {
  return JSON.stringify(formatRef({ kind: 'table', project_id, id: digest, path: [] }))
}

/** A version like another one, with the rows of another table. Everything else in its value stays as it is spelled. */
async function publishRows(
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
  const digest = source.kind === 'stored' ? source.digest : await storeTable(project, source.rows)
  return updateTable(project, digest, updates)
}

/** Publishes what was edited and tells the digest of the new version. */
export async function publishDraft(
  project: Project,
  name: string,
  val: string,
  source: TableSource,
  draft: Draft,
): Promise<string> {
  return publishRows(project, name, val, await applyUpdates(project, source, updatesOf(draft)))
}

/** The value of a dataset as the SDKs publish it. */
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
  /** What happens to a dataset that has the name: its next version has these rows alone, or at its end. */
  readonly how: 'new' | 'replace' | 'append'
}

/** Publishes rows and tells the digest of the version. */
export async function publishTo(
  project: Project,
  { name, how }: Target,
  rows: readonly string[],
  onDone?: (count: number) => void,
): Promise<string> {
  const { project_id } = project
  if (how === 'new') {
    const table = await storeTable(project, rows, onDone)
    const val = new JsonText(datasetVal(project_id, name, table))
    const { digest } = await api.call('obj_create', { obj: { project_id, object_id: name, val } })
    return digest
  }
  const { obj } = await api.call('obj_read', { project_id, object_id: name, digest: 'latest' })
  const val = obj.val.text
  const source = tableOf(val)
  if (how === 'replace' || source === undefined) {
    return publishRows(project, name, val, await storeTable(project, rows, onDone))
  }
  const updates = rows.map((row) => ({ append: { row } }))
  const digest = await publishRows(project, name, val, await applyUpdates(project, source, updates))
  onDone?.(rows.length)
  return digest
}

/** Why it cannot be a name of an object; undefined if it can. */
export function nameTrouble(name: string): string | undefined {
  if (name === '') return 'It needs a name'
  if (!/^[\p{L}\p{N}\p{M}_.-]+$/u.test(name)) return 'Only letters, digits, “_”, “.” and “-”'
  return Array.from(name).length > 128 ? 'At most 128 characters' : undefined
}

/** A name out of that of a file. */
export function nameOfFile(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{N}\p{M}_.-]+/gu, '-')
  return base.replaceAll(/^-+|-+$/g, '').slice(0, 100)
}
