import type { FastifyRequest } from 'fastify'
import { identifyCaller } from './authenticate.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

/** Step 5: authorizes the caller for every project of the request. The only place that checks permissions. */
export function authorize({ operation }: Endpoint, { access }: PipelineOptions) {
  const { access: right } = operation
  return async ({ requestContext: context }: FastifyRequest): Promise<void> => {
    if (right === 'public' || right === 'user') return
    const project_ids = operation.projects(context.input)
    context.project_id = project_ids[0]
    await access.authorize(context.caller, right, [...new Set(project_ids)])
  }
}

/** Authenticates and authorizes again, for responses that last; throws if the caller has lost access. */
export function reauthorize({ operation }: Endpoint, { access }: PipelineOptions) {
  return async (request: FastifyRequest): Promise<void> => {
    const caller = await identifyCaller(operation, request, access)
    if (operation.access === 'public' || operation.access === 'user') return
    const project_ids = operation.projects(request.requestContext.input)
    await access.authorize(caller, operation.access, [...new Set(project_ids)])
  }
}
