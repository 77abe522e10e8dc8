import { RawJson } from '../../contract/raw-json.ts'
import type { ExportedRow } from './export-files.ts'
import { attempt } from './load-content.ts'
import { eachGroup, type Loading } from './loading.ts'

/** Versions in the order they were published, so that they get the numbers they had. */
export async function loadObjects(loading: Loading): Promise<void> {
  await eachGroup(loading, 'objects', 1, async ([row]) => {
    if (row !== undefined) await loadVersion(loading, row)
  })
  await finishObjects(loading)
}

async function loadVersion(loading: Loading, row: ExportedRow): Promise<void> {
  const { object_id, version_index, digest } = row as {
    object_id: string
    version_index: number
    digest: string
  }
  // A deleted version is not in the export, but it has a number: something is published in its place, and deleted.
  for (let n = nextIndex(loading, object_id); n < version_index; n++) await fillGap(loading, object_id, n)
  await attempt(loading, `object ${object_id}:${digest}`, async () => {
    await publish(loading, row)
    loading.report.copied.objects++
  })
  loading.journal.add('object', object_id, String(version_index + 1))
}

function nextIndex({ journal }: Loading, object_id: string): number {
  return Number(journal.get('object', object_id) ?? 0)
}

async function fillGap({ to, to_project_id, journal }: Loading, object_id: string, n: number): Promise<void> {
  const val = RawJson.of({ deleted_version_index: n })
  const { digest } = await to.call('obj_create', { obj: { project_id: to_project_id, object_id, val } })
  await to.call('obj_delete', { project_id: to_project_id, object_id, digests: [digest] })
  journal.add('object', object_id, String(n + 1))
}

async function publish({ to, to_project_id }: Loading, row: ExportedRow): Promise<void> {
  const { object_id, digest, val } = row as { object_id: string; digest: string; val: RawJson }
  await to.call('obj_create', {
    obj: { project_id: to_project_id, object_id, val, expected_digest: digest },
  })
}

/** Once all are there: labels, and what was the latest though it is not the highest number. */
async function finishObjects(loading: Loading): Promise<void> {
  const { files, to, to_project_id: project_id, report } = loading
  const last = new Map<string, string>()
  for await (const row of files.rows('objects', 0)) {
    const { object_id, digest } = row as { object_id: string; digest: string }
    last.set(object_id, digest)
  }
  for await (const row of files.rows('objects', 0)) {
    const { object_id, digest, is_latest } = row as { object_id: string; digest: string; is_latest: number }
    const tags = row['tags'] as string[]
    const aliases = (row['aliases'] as string[]).filter((alias) => alias !== 'latest')
    if (is_latest === 1 && last.get(object_id) !== digest) await publish(loading, row)
    await attempt(loading, `tags and aliases of ${object_id}:${digest}`, async () => {
      if (tags.length > 0) await to.call('obj_add_tags', { project_id, object_id, digest, tags })
      if (aliases.length > 0) await to.call('obj_set_aliases', { project_id, object_id, digest, aliases })
      report.digests.equal--
    })
  }
}
