import type { Api } from './api.ts'
import { type KnownObject, objectId, objectValue, projectOfObject } from './objects-load.ts'
import { PROJECTS } from './records.ts'
import type { Verdict } from './verdict.ts'

const PAGE = 1_000

interface Version {
  readonly object_id: string
  readonly version_index: number
  readonly is_latest: 0 | 1
  readonly val: { readonly o: number; readonly version: number }
}

/** Each object must have consecutive version indexes, exactly one latest version, and every acknowledged version. */
export async function checkObjects(
  api: Api,
  known: readonly KnownObject[],
  verdict: Verdict,
): Promise<number> {
  const byObject = new Map<string, Version[]>()
  let count = 0
  for (const [project, project_id] of PROJECTS.entries()) {
    for (let offset = 0; ; offset += PAGE) {
      const text = await api.text('/objs/query', { project_id, limit: PAGE, offset })
      const { objs } = JSON.parse(text) as { objs: Version[] }
      for (const version of objs) {
        const { o, version: v } = version.val
        const isOurs = version.object_id === objectId(o) && projectOfObject(o) === project
        if (!isOurs || known[o]?.[v] === undefined || !text.includes(objectValue(o, v))) {
          verdict.note('altered', `${JSON.stringify(version)} was not sent to ${project_id}`)
        }
        byObject.set(version.object_id, [...(byObject.get(version.object_id) ?? []), version])
      }
      count += objs.length
      if (objs.length < PAGE) break
    }
  }
  for (const [o, versions] of known.entries())
    checkObject(o, versions, byObject.get(objectId(o)) ?? [], verdict)
  return count
}

function checkObject(o: number, known: KnownObject, found: readonly Version[], verdict: Verdict): void {
  const listed = new Set(found.map((version) => version.val.version))
  if (listed.size !== found.length) verdict.note('duplicated', `${objectId(o)} lists a version twice`)
  for (const [v, isAcked] of known.entries()) {
    if (isAcked && !listed.has(v)) verdict.note('lost', `${objectId(o)} lacks version ${v}`)
  }
  const indexes = found.map((version) => version.version_index).sort((a, b) => a - b)
  if (indexes.some((index, i) => index !== i)) {
    verdict.note('altered', `${objectId(o)} has version indexes ${indexes.join(', ')}`)
  }
  const latest = found.filter((version) => version.is_latest === 1).length
  if (found.length > 0 && latest !== 1)
    verdict.note('altered', `${objectId(o)} has ${latest} latest versions`)
}
