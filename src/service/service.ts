import type { Deps } from './deps.ts'
import type { Handlers } from './handler.ts'

export function serviceHandlers(deps: Deps): Pick<Handlers, 'server_info' | 'read_version' | 'health'> {
  return {
    server_info: async () => ({
      // Any SDK may talk to us: a higher minimum would make older ones switch tracing off.
      min_required_weave_python_version: '0.0.0',
      trace_server_version: deps.version,
    }),
    read_version: async () => ({ version: deps.version }),
    health: async () => ({ status: 'ok' }),
  }
}
