import { z } from 'zod'
import { operation } from './operation.ts'

export const serviceOperations = {
  server_info: operation({
    method: 'GET',
    path: '/server_info',
    summary: 'Versions, for the handshake of the SDKs.',
    access: 'public',
    request: z.object({}),
    response: z.object({ min_required_weave_python_version: z.string(), trace_server_version: z.string() }),
    projects: () => [],
  }),
  read_version: operation({
    method: 'GET',
    path: '/version',
    summary: 'The version of this server.',
    access: 'public',
    request: z.object({}),
    response: z.object({ version: z.string() }),
    projects: () => [],
  }),
  health: operation({
    method: 'GET',
    path: '/health',
    summary: 'Whether the server answers; SDKs probe it when they sign in.',
    access: 'public',
    request: z.object({}),
    response: z.object({ status: z.string() }),
    projects: () => [],
  }),
}
