import { VERSION } from '../app/deps.ts'
import type { Command } from './command.ts'

export const versionCommand: Command = {
  usage: '',
  summary: 'Print the version.',
  options: {},
  run: async (args, environment) => {
    args.positionals()
    environment.stdout.write(`heddle ${VERSION}\n`)
  },
}
