import { readMigrations } from '../store/database/migrations.ts'
import { planMigrations } from '../store/database/migration-plan.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS } from './command.ts'
import { withInspectedStorage, withStorage } from './storage.ts'
import { printTable } from './table.ts'

/** `heddle migrate`: applies the migrations without starting a server, or lists those that are pending. */
export const migrateCommand: Command = {
  usage: '[--plan [--json]]',
  summary:
    'Apply pending database migrations. A server also does this when it starts. --plan lists them and changes nothing.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, plan: { type: 'boolean' } },
  run: async (args, environment) => {
    args.positionals()
    if (!args.flag('plan')) {
      await withStorage(args, environment, async ({ db }) => {
        environment.stdout.write(`the database "${db.name}" is up to date\n`)
      })
      return
    }
    const migrations = await readMigrations()
    const plan = await withInspectedStorage(args, environment, (servers) =>
      planMigrations(servers, migrations),
    )
    if (plan.length === 0 && !args.flag('json')) {
      environment.stdout.write('the database is up to date\n')
      return
    }
    const rows = plan.map(({ name, description, servers, rewritten }) => ({
      migration: name,
      servers: servers.join(', '),
      rewrites_data: rewritten.length > 0,
      tables: [...new Set(rewritten.map(({ table }) => table))].join(', '),
      rows: String(rewritten.reduce((sum, table) => sum + table.rows, 0)),
      bytes: String(rewritten.reduce((sum, table) => sum + table.bytes, 0)),
      description,
    }))
    const columns = ['rewrites_data', 'tables', 'rows', 'bytes', 'description'] as const
    const isCluster = plan.some(({ servers }) => servers.length > 0)
    printTable(
      rows,
      ['migration', ...(isCluster ? (['servers'] as const) : []), ...columns],
      args,
      environment,
    )
  },
}
