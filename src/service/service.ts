import type { Deps } from './deps.ts'
import type { Handlers } from './handler.ts'

/** Handlers for server information: version and health. */
export function serviceHandlers(deps: Deps): Pick<Handlers, 'server_info' | 'read_version' | 'health'> {
  return {
    server_info: async () => ({
      // Every SDK version is accepted. A higher minimum would make older SDKs disable tracing.
      min_required_weave_python_version: '0.0.0',
      trace_server_version: deps.version,
    }),
    read_version: async () => ({ version: deps.version }),
    health: async () => ({ status: 'ok' }),
  }
}
