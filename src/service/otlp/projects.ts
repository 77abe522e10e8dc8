import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { projectId } from '../../contract/fields.ts'
import { PROJECT_HEADER } from '../../contract/project-header.ts'
import type { Resource } from '../../otlp/model.ts'
import { projectOf } from '../../otlp/project.ts'
import type { Rejections } from '../../otlp/wire/rejections.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../deps.ts'

/** Which projects the parts of an export belong to, and whether its caller may write there. */

interface OfResource {
  readonly resource: Resource
}

/** A span or log record with its project. */
interface Assigned<Item> {
  readonly item: Item
  readonly project_id: string
}

export interface Assignment<Item> {
  readonly assigned: readonly Assigned<Item>[]
  /** Projects that nobody has named. */
  readonly guesses: readonly string[]
}

/**
 * Items of projects that the caller may not write to are rejected; if there are no others, the request is. `header` is
 * the project that the request names.
 */
export async function assignProjects<Item extends OfResource>(
  access: Access,
  caller: Caller,
  items: readonly Item[],
  { header, rejections }: { readonly header: string | undefined; readonly rejections: Rejections },
): Promise<Assignment<Item>> {
  const projects = new Map<Resource, string>()
  const project_ids = new Set<string>()
  const guessed = new Set<string>()
  for (const { resource } of items) {
    if (projects.has(resource)) continue
    // Every user owns the entity named after them.
    const { project_id, isNamed } = projectOf(resource, header, caller.username)
    if (!projectId.safeParse(project_id).success)
      throw unprocessable(['project_id'], 'the header project-id must have the form <entity>/<project>')
    projects.set(resource, project_id)
    project_ids.add(project_id)
    if (!isNamed) guessed.add(project_id)
  }
  const denied = await deniedProjects(access, caller, [...project_ids])
  const assigned: Assigned<Item>[] = []
  for (const item of items) {
    const project_id = projects.get(item.resource) ?? ''
    const reason = denied.get(project_id)
    if (reason === undefined) assigned.push({ item, project_id })
    else rejections.add(reason)
  }
  const guesses = [...guessed].filter((project_id) => !denied.has(project_id))
  if (guesses.length > 0) rejections.add(guessWarning(guesses), 0)
  return { assigned, guesses }
}

/** A message for the exporter: nobody looks for spans in a project that nobody named. */
function guessWarning(project_ids: readonly string[]): string {
  const shown = project_ids.slice(0, MAX_SHOWN).join(', ')
  const more = project_ids.length > MAX_SHOWN ? ` and ${project_ids.length - MAX_SHOWN} others` : ''
  return `the request names no project, so this was stored in ${shown}${more}; set the header ${PROJECT_HEADER} to <entity>/<project> (proxies drop project_id)`
}

const MAX_SHOWN = 10

/** Projects that the caller may not write to, with reasons. Throws `forbidden` if these are all of them. */
async function deniedProjects(
  access: Access,
  caller: Caller,
  project_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const denied = new Map<string, string>()
  for (let rest = project_ids; rest.length > 0; rest = project_ids.filter((id) => !denied.has(id))) {
    try {
      await access.authorize(caller, 'write', rest)
      return denied
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error
      const roleIn = await access.roleLookup(caller)
      const now = rest.filter((id) => roleIn(id) !== 'write' && roleIn(id) !== 'admin')
      if (now.length === 0 || now.length === project_ids.length) throw error
      for (const id of now) denied.set(id, `you do not have permission to write to ${id}`)
    }
  }
  return denied
}
