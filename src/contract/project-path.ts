import { z } from 'zod'
import { projectIdPart } from './fields.ts'

/** Path parameters of `/v2/{entity}/{project}/…`. */
export const projectPathFields = { entity: projectIdPart, project: projectIdPart }

export function pathProjectId(request: { entity: string; project: string }): string {
  return `${request.entity}/${request.project}`
}

/** The schema of a request for the project in the path. Handlers receive it as `project_id`. */
export function projectRequest<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ ...projectPathFields, ...shape })
    .transform((request) => ({ ...request, project_id: pathProjectId(request as unknown as ProjectPath) }))
}

type ProjectPath = z.output<z.ZodObject<typeof projectPathFields>>
