import { useParams } from '@tanstack/react-router'

/** The project of the current page, in the forms that requests need. */
export interface Project {
  readonly entity: string
  readonly project: string
  readonly project_id: string
}

export function useProject(): Project {
  const { entity = '', project = '' } = useParams({ strict: false }) as Partial<Project>
  return { entity, project, project_id: `${entity}/${project}` }
}

/** The path parameters of a project. */
export function projectParams({ entity, project }: Project): { entity: string; project: string } {
  return { entity, project }
}
