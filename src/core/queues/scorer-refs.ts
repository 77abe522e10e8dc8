import { formatRef, parseRef } from '../../contract/objects/ref.ts'

/**
 * Weave's annotation queues name annotation specs by refs of their versions, review queues by their names: people always
 * see the latest version of a spec.
 */

/** The names of the specs, each once. */
export function scoresOfRefs(refs: readonly string[]): string[] {
  return [...new Set(refs.map(nameOf).filter((name) => name !== undefined))]
}

/** A ref for each score: those that were sent, otherwise that of the latest version. */
export function refsOfScores(
  project_id: string,
  scores: readonly string[],
  sent: readonly string[],
): string[] {
  return scores.flatMap((name) => {
    const refs = sent.filter((ref) => nameOf(ref) === name)
    return refs.length > 0
      ? refs
      : [formatRef({ kind: 'object', project_id, name, digest: 'latest', path: [] })]
  })
}

function nameOf(text: string): string | undefined {
  const ref = parseRef(text)
  return ref !== undefined && 'name' in ref ? ref.name : undefined
}
