import { mostSimilar } from './edit-distance.ts'

/** The message for a project that does not exist, where a write would not be what creates it. */
export function unknownProject(project_id: string, known: Iterable<string>): string {
  const similar = mostSimilar(project_id, known)
  return `there is no project ${project_id}${similar === undefined ? '' : `; did you mean ${similar}?`}`
}
