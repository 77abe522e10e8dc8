import { type Command, STORAGE_OPTIONS } from './command.ts'
import { withStorage } from './storage.ts'

/** `heddle migrate`: what every server does at its start, without a server. */
export const migrateCommand: Command = {
  usage: '',
  summary: 'Bring the database up to date, as every server does when it starts.',
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    args.words()
    await withStorage(args, world, async ({ db }) => {
      world.stdout.write(`the database "${db.name}" is up to date\n`)
    })
  },
}
