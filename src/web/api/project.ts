import { useParams } from '@tanstack/react-router'

/** The project that the page is about, in the forms in which requests want it. */
export interface Project {
  readonly entity: string
  readonly project: string
  readonly project_id: string
}

export function useProject(): Project {
  const { entity = '', project = '' } = useParams({ strict: false }) as Partial<Project>
  return { entity, project, project_id: `${entity}/${project}` }
}

/** Where requests want the two names apart. */
export function inPath({ entity, project }: Project): { entity: string; project: string } {
  return { entity, project }
}
