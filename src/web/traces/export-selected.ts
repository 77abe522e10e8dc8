import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'

/** A proxy in front of the server may take no longer addresses than 8 KB; this leaves room for the rest. */
const ADDRESS_CHARACTERS = 5000

/**
 * Calls by their ids as JSON lines. An export names what it wants in its address, which has room for some dozens of
 * ids: of thousands it is asked piece by piece.
 */
export async function exportSelected(
  project: Project,
  ids: readonly string[],
  onProgress: (exported: number) => void,
): Promise<Blob> {
  const pieces: Blob[] = []
  let exported = 0
  for (const call_ids of inPieces(ids, ADDRESS_CHARACTERS)) {
    const answer = await api.call('project_export', {
      ...inPath(project),
      what: 'calls',
      format: 'jsonl',
      filter: JSON.stringify({ call_ids }),
    })
    pieces.push(await answer.blob())
    exported += call_ids.length
    onProgress(exported)
  }
  return new Blob(pieces)
}

/** As many ids together as fit into so many characters of an address, each at least alone. */
export function inPieces(ids: readonly string[], most: number): readonly (readonly string[])[] {
  const pieces: string[][] = []
  let room = 0
  for (const id of ids) {
    const size = encodeURIComponent(`${JSON.stringify(id)},`).length
    const last = pieces.at(-1)
    if (last === undefined || size > room) {
      pieces.push([id])
      room = most - size
    } else {
      last.push(id)
      room -= size
    }
  }
  return pieces
}

/** As the server calls its exports. */
export function exportName({ project_id }: Project): string {
  return `${project_id.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}-calls.jsonl`
}
