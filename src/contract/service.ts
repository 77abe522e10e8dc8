import { z } from 'zod'
import { operation } from './operation.ts'

/** Operations about the server itself. */
export const serviceOperations = {
  server_info: operation({
    method: 'GET',
    path: '/server_info',
    summary: 'Read the versions that SDKs check before they connect.',
    access: 'public',
    request: z.object({}),
    response: z.object({ min_required_weave_python_version: z.string(), trace_server_version: z.string() }),
    projects: () => [],
  }),
  read_version: operation({
    method: 'GET',
    path: '/version',
    summary: 'Read the version of the server.',
    access: 'public',
    request: z.object({}),
    response: z.object({ version: z.string() }),
    projects: () => [],
  }),
  health: operation({
    method: 'GET',
    path: '/health',
    summary: 'Check that the server responds. SDKs call it when they sign in.',
    access: 'public',
    request: z.object({}),
    response: z.object({ status: z.string() }),
    projects: () => [],
  }),
}
