import { RawJson } from '../../contract/raw-json.ts'
import type { ExportedRow } from './export-files.ts'
import { reportRejection } from './load-content.ts'
import { forEachBatch, type LoadJob } from './load-job.ts'

/** Imports versions in the order they were published, so they keep their version numbers. */
export async function loadObjects(job: LoadJob): Promise<void> {
  await forEachBatch(job, 'objects', 1, async ([row]) => {
    if (row !== undefined) await loadVersion(job, row)
  })
  await finishObjects(job)
}

async function loadVersion(job: LoadJob, row: ExportedRow): Promise<void> {
  const { object_id, version_index, digest } = row as {
    object_id: string
    version_index: number
    digest: string
  }
  // Deleted versions are not in the export but have numbers: a placeholder is published and deleted for each.
  for (let n = nextIndex(job, object_id); n < version_index; n++) await fillGap(job, object_id, n)
  await reportRejection(job, `object ${object_id}:${digest}`, async () => {
    await publish(job, row)
    job.report.copied.objects++
  })
  job.journal.add('object', object_id, String(version_index + 1))
}

function nextIndex({ journal }: LoadJob, object_id: string): number {
  return Number(journal.get('object', object_id) ?? 0)
}

async function fillGap({ to, to_project_id, journal }: LoadJob, object_id: string, n: number): Promise<void> {
  const val = RawJson.fromValue({ deleted_version_index: n })
  const { digest } = await to.call('obj_create', { obj: { project_id: to_project_id, object_id, val } })
  await to.call('obj_delete', { project_id: to_project_id, object_id, digests: [digest] })
  journal.add('object', object_id, String(n + 1))
}

async function publish({ to, to_project_id }: LoadJob, row: ExportedRow): Promise<void> {
  const { object_id, digest, val } = row as { object_id: string; digest: string; val: RawJson }
  await to.call('obj_create', {
    obj: { project_id: to_project_id, object_id, val, expected_digest: digest },
  })
}

/** After all versions: adds labels, and restores `latest` where it is not the highest version. */
async function finishObjects(job: LoadJob): Promise<void> {
  const { files, to, to_project_id: project_id, report } = job
  const last = new Map<string, string>()
  for await (const row of files.rows('objects', 0)) {
    const { object_id, digest } = row as { object_id: string; digest: string }
    last.set(object_id, digest)
  }
  for await (const row of files.rows('objects', 0)) {
    const { object_id, digest, is_latest } = row as { object_id: string; digest: string; is_latest: number }
    const tags = row['tags'] as string[]
    const aliases = (row['aliases'] as string[]).filter((alias) => alias !== 'latest')
    if (is_latest === 1 && last.get(object_id) !== digest) await publish(job, row)
    await reportRejection(job, `tags and aliases of ${object_id}:${digest}`, async () => {
      if (tags.length > 0) await to.call('obj_add_tags', { project_id, object_id, digest, tags })
      if (aliases.length > 0) await to.call('obj_set_aliases', { project_id, object_id, digest, aliases })
      report.digests.equal--
    })
  }
}
