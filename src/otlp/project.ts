import { projectId, projectIdPart } from '../contract/fields.ts'
import type { Resource } from './model.ts'

const DEFAULT_PROJECT = 'default'
const MAX_NAME_CHARACTERS = 120

/**
 * The project of the spans of a resource: the header, else what the resource says. A header with one name means a
 * project of the default entity; any other header is returned as sent, for the caller to check.
 */
export function projectOf(resource: Resource, header: string | undefined, defaultEntity: string): string {
  const given = header?.trim() ?? ''
  if (given !== '') return projectIdPart.safeParse(given).success ? `${defaultEntity}/${given}` : given
  const text = (key: string): string => {
    const value = resource.attributes.get(key)
    return typeof value === 'string' ? validName(value) : ''
  }
  const entity = text('wandb.entity')
  const project =
    text('wandb.project') || text('openinference.project.name') || text('service.name') || DEFAULT_PROJECT
  const id = `${text('wandb.project') === '' || entity === '' ? defaultEntity : entity}/${project}`
  return projectId.safeParse(id).success ? id : `${defaultEntity}/${DEFAULT_PROJECT}`
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
