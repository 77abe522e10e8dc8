import { type Command, STORAGE_OPTIONS } from './command.ts'
import { withStorage } from './storage.ts'

/** `heddle migrate`: applies the migrations without starting a server. */
export const migrateCommand: Command = {
  usage: '',
  summary: 'Apply pending database migrations. A server also does this when it starts.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    args.positionals()
    await withStorage(args, environment, async ({ db }) => {
      environment.stdout.write(`the database "${db.name}" is up to date\n`)
    })
  },
}
