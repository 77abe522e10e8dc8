import { projectId, projectIdPart } from '../contract/fields.ts'
import type { Resource } from './model.ts'

const DEFAULT_PROJECT = 'default'
const MAX_NAME_CHARACTERS = 120

export interface ResourceProject {
  readonly project_id: string
  /** False if nothing names a project, so that the name of the service or a default has to do. */
  readonly isNamed: boolean
}

/**
 * The project of the spans of a resource: the header, else what the resource says. A header with one name means a
 * project of the default entity; any other header is returned as sent, for the caller to check.
 */
export function projectOf(
  resource: Resource,
  header: string | undefined,
  defaultEntity: string,
): ResourceProject {
  const given = header?.trim() ?? ''
  if (given !== '') {
    const isPart = projectIdPart.safeParse(given).success
    return { project_id: isPart ? `${defaultEntity}/${given}` : given, isNamed: true }
  }
  const text = (key: string): string => {
    const value = resource.attributes.get(key)
    return typeof value === 'string' ? validName(value) : ''
  }
  const entity = text('wandb.entity')
  const named = text('wandb.project') || text('openinference.project.name')
  const project = named || text('service.name') || DEFAULT_PROJECT
  const id = `${text('wandb.project') === '' || entity === '' ? defaultEntity : entity}/${project}`
  if (projectId.safeParse(id).success) return { project_id: id, isNamed: named !== '' }
  return { project_id: `${defaultEntity}/${DEFAULT_PROJECT}`, isNamed: false }
}

// eslint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[/\u0000-\u001f\u007f-\u009f]+/g

function validName(text: string): string {
  return text
    .slice(0, 2 * MAX_NAME_CHARACTERS)
    .replaceAll(NOT_IN_NAMES, '-')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
}
