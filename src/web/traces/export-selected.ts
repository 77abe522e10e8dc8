import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'

/** Maximum characters of ids in one URL. Proxies may reject URLs over 8 KB; this leaves space for the rest. */
const MAX_URL_ID_CHARACTERS = 5000

/**
 * Exports calls by id as JSON Lines. The ids are part of the URL, which holds a few dozen of them, so a large selection
 * is exported in several requests.
 */
export async function exportSelected(
  project: Project,
  ids: readonly string[],
  onProgress: (exported: number) => void,
): Promise<Blob> {
  const chunks: Blob[] = []
  let exported = 0
  for (const call_ids of chunkIds(ids, MAX_URL_ID_CHARACTERS)) {
    const response = await api.call('project_export', {
      ...projectParams(project),
      what: 'calls',
      format: 'jsonl',
      filter: JSON.stringify({ call_ids }),
    })
    chunks.push(await response.blob())
    exported += call_ids.length
    onProgress(exported)
  }
  return new Blob(chunks)
}

/** Groups ids so that each group fits into `maxCharacters` of a URL. A group has at least one id. */
export function chunkIds(ids: readonly string[], maxCharacters: number): readonly (readonly string[])[] {
  const chunks: string[][] = []
  let remaining = 0
  for (const id of ids) {
    const size = encodeURIComponent(`${JSON.stringify(id)},`).length
    const last = chunks.at(-1)
    if (last === undefined || size > remaining) {
      chunks.push([id])
      remaining = maxCharacters - size
    } else {
      last.push(id)
      remaining -= size
    }
  }
  return chunks
}

/** The file name that the server gives its exports. */
export function exportFileName({ project_id }: Project): string {
  return `${project_id.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}-calls.jsonl`
}
