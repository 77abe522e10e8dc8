import { MAX_PORT } from '../app/setting.ts'
import type { Settings } from '../app/settings.ts'
import { DURABILITIES } from '../store/database/durability.ts'
import { type Arguments, defined, STORAGE_OPTIONS } from './command.ts'

/** The settings of a server that command-line options can give. */
export const SERVER_OPTIONS = {
  ...STORAGE_OPTIONS,
  host: { type: 'string' },
  port: { type: 'string' },
  workers: { type: 'string' },
  durability: { type: 'string' },
  'log-level': { type: 'string' },
} as const

export const SERVER_USAGE =
  '[--data DIR | --clickhouse-url URL] [--host HOST] [--port PORT] [--workers N] [--durability process|power|quorum] [--log-level LEVEL]'

export function serverFlags(args: Arguments): Partial<Settings> {
  return {
    ...args.storage(),
    ...defined({
      host: args.text('host'),
      port: args.integer('port', { max: MAX_PORT }),
      workers: args.integer('workers', { min: 1 }),
      durability: args.oneOf('durability', DURABILITIES),
      logLevel: args.text('log-level'),
    }),
  }
}
