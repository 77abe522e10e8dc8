import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../service/deps.ts'
import { identifyCaller } from './authenticate.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

/** Step 5: authorizes the caller for every project of the request. */
export function authorize(endpoint: Endpoint, options: PipelineOptions) {
  return async ({ requestContext: context }: FastifyRequest): Promise<void> => {
    context.project_id = await checkPermission(endpoint, options, context.caller, context.input)
  }
}

/** Authenticates and authorizes again, for responses that last; throws if the caller has lost access. */
export function reauthorize(endpoint: Endpoint, options: PipelineOptions) {
  return async (request: FastifyRequest): Promise<void> => {
    const caller = await identifyCaller(endpoint.operation, request, options.access)
    await checkPermission(endpoint, options, caller, request.requestContext.input)
  }
}

/** The only place that checks permissions. Returns the first project of the request, if it names any. */
async function checkPermission(
  { operation }: Endpoint,
  { access }: PipelineOptions,
  caller: Caller,
  input: unknown,
): Promise<string | undefined> {
  if (operation.access === 'public' || operation.access === 'user') return undefined
  if (operation.access === 'server_admin') {
    await access.authorizeServerAdmin(caller)
    return undefined
  }
  const project_ids = operation.projects(input)
  await access.authorize(caller, operation.access, [...new Set(project_ids)])
  return project_ids[0]
}
