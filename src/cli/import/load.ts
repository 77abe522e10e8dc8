import type { Exported } from '../../contract/export/export.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from '../../core/json/write.ts'
import { ownSummary } from '../../core/calls/own-summary.ts'
import { type NewCall, sendCalls } from './calls.ts'
import type { ExportedRow } from './export-files.ts'
import { sendFeedback } from './feedback.ts'
import { loadFiles, loadTables } from './load-content.ts'
import { loadObjects } from './load-objects.ts'
import { eachGroup, type Loading } from './loading.ts'
import { RefMap } from './ref-map.ts'

/** What is named before what names it. */
const LOADERS: Readonly<Record<Exported, (loading: Loading) => Promise<void>>> = {
  files: loadFiles,
  tables: loadTables,
  objects: loadObjects,
  calls: loadCalls,
  feedback: loadFeedback,
}

export async function loadProject(loading: Loading): Promise<void> {
  const { files, progress, report, to, to_project_id } = loading
  const { what } = files.manifest.head
  const [entity = '', project = ''] = to_project_id.split('/')
  for (const each of Object.keys(LOADERS) as Exported[]) {
    if (!what.includes(each)) continue
    progress.total(each, files.count(each))
    await LOADERS[each](loading)
    const { count } = await to.call('project_export_count', { entity, project, what: each })
    report.counts[each] = { from: files.count(each), to: count }
  }
}

const CALLS_AT_ONCE = 1_000
const FEEDBACK_AT_ONCE = 500

async function loadCalls(loading: Loading): Promise<void> {
  await eachGroup(loading, 'calls', CALLS_AT_ONCE, (rows) =>
    sendCalls(
      loading,
      rows.map((row) => newCall(row, loading.to_project_id)),
    ),
  )
}

function newCall(row: ExportedRow, project_id: string): NewCall {
  const { summary } = row
  return {
    ...(row as unknown as NewCall),
    project_id,
    summary: summary instanceof RawJson ? ownSummary(summary) : null,
  }
}

async function loadFeedback(loading: Loading): Promise<void> {
  const { to_project_id } = loading
  const refs = new RefMap(to_project_id, to_project_id)
  await eachGroup(loading, 'feedback', FEEDBACK_AT_ONCE, (rows) =>
    sendFeedback(
      loading,
      refs,
      rows.map((row) => RawJson.fromText(writeJson(row))),
    ),
  )
}
