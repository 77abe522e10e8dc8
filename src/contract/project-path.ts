import { z } from 'zod'
import { projectIdPart } from './fields.ts'

/** `/v2/{entity}/{project}/…`: the project is in the path. */
export const inPath = { entity: projectIdPart, project: projectIdPart }

export function pathProject(request: { entity: string; project: string }): string {
  return `${request.entity}/${request.project}`
}

/** A request for the project in the path and no other; whoever handles it sees `project_id`. */
export function inProject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ ...inPath, ...shape })
    .transform((request) => ({ ...request, project_id: pathProject(request as unknown as InPath) }))
}

type InPath = z.output<z.ZodObject<typeof inPath>>
