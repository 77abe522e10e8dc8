import { createKey, revokeKey, summarizeKeys } from '../service/access/keys.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS } from './command.ts'
import { printRows } from './listing.ts'
import { withStorage } from './storage.ts'

/** `heddle keys`. */
export const createKeyCommand: Command = {
  usage: '[--user USERNAME] [--name TEXT] [--json]',
  summary: 'Make an API key for a user (default admin) and print it, this once.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, user: { type: 'string' }, name: { type: 'string' } },
  run: async (args, world) => {
    args.words()
    const made = await withStorage(args, world, (deps) =>
      createKey(deps, args.text('user') ?? 'admin', args.text('name')),
    )
    if (args.flag('json')) {
      world.stdout.write(`${JSON.stringify(made, null, 2)}\n`)
      return
    }
    world.stderr.write(`${made.key_id}, a key of the user "${made.username}"; it is not shown again:\n`)
    // Alone on standard output: export WANDB_API_KEY=$(heddle keys create)
    world.stdout.write(`${made.key}\n`)
  },
}

export const listKeysCommand: Command = {
  usage: '[--user USERNAME] [--json]',
  summary:
    'List the API keys, and the sessions of browsers, by their ids; the keys themselves are kept nowhere.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, user: { type: 'string' } },
  run: async (args, world) => {
    args.words()
    const keys = await withStorage(args, world, (deps) => summarizeKeys(deps, args.text('user')))
    printRows(keys, ['key_id', 'username', 'kind', 'name', 'created_at', 'expires_at'], args, world)
  },
}

export const revokeKeyCommand: Command = {
  usage: '<key_id>',
  summary: 'Revoke an API key, by its id or by the key itself. Every server refuses it within 30 s.',
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    const [idOrKey = ''] = args.words('key_id')
    const key_id = await withStorage(args, world, (deps) => revokeKey(deps, idOrKey))
    world.stderr.write(`revoked ${key_id}; servers refuse it within 30 s\n`)
  },
}
