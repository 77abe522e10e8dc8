import type { ExportKind } from '../../contract/export/export.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from '../../core/json/write.ts'
import { originalSummary } from '../../core/calls/original-summary.ts'
import { type NewCall, sendCalls } from './calls.ts'
import type { ExportedRow } from './export-files.ts'
import { sendFeedback } from './feedback.ts'
import { loadFiles, loadTables } from './load-content.ts'
import { loadObjects } from './load-objects.ts'
import { forEachBatch, type LoadJob } from './load-job.ts'
import { RefMap } from './ref-map.ts'

/** In import order: referenced records before those that reference them. */
const LOADERS: Readonly<Record<ExportKind, (job: LoadJob) => Promise<void>>> = {
  files: loadFiles,
  tables: loadTables,
  objects: loadObjects,
  calls: loadCalls,
  feedback: loadFeedback,
}

export async function loadProject(job: LoadJob): Promise<void> {
  const { files, progress, report, to, to_project_id } = job
  const { what } = files.manifest.head
  const [entity = '', project = ''] = to_project_id.split('/')
  for (const each of Object.keys(LOADERS) as ExportKind[]) {
    if (!what.includes(each)) continue
    progress.setTotal(each, files.count(each))
    await LOADERS[each](job)
    const { count } = await to.call('project_export_count', { entity, project, what: each })
    report.counts[each] = { from: files.count(each), to: count }
  }
}

const CALL_BATCH = 1_000
const FEEDBACK_BATCH = 500

async function loadCalls(job: LoadJob): Promise<void> {
  await forEachBatch(job, 'calls', CALL_BATCH, (rows) =>
    sendCalls(
      job,
      rows.map((row) => newCall(row, job.to_project_id)),
    ),
  )
}

function newCall(row: ExportedRow, project_id: string): NewCall {
  const { summary } = row
  return {
    ...(row as unknown as NewCall),
    project_id,
    summary: summary instanceof RawJson ? originalSummary(summary) : null,
  }
}

async function loadFeedback(job: LoadJob): Promise<void> {
  const { to_project_id } = job
  const refs = new RefMap(to_project_id, to_project_id)
  await forEachBatch(job, 'feedback', FEEDBACK_BATCH, (rows) =>
    sendFeedback(
      job,
      refs,
      rows.map((row) => RawJson.fromText(writeJson(row))),
    ),
  )
}
