import { createKey, revokeKey, summarizeKeys } from '../service/access/keys.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS } from './command.ts'
import { printTable } from './table.ts'
import { withStorage } from './storage.ts'

/** `heddle keys`: manages API keys. */
export const createKeyCommand: Command = {
  usage: '[--user USERNAME] [--name TEXT] [--json]',
  summary: 'Create an API key for a user (default admin). The key is shown once.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, user: { type: 'string' }, name: { type: 'string' } },
  run: async (args, environment) => {
    args.positionals()
    const created = await withStorage(args, environment, (deps) =>
      createKey(deps, args.text('user') ?? 'admin', args.text('name')),
    )
    if (args.flag('json')) {
      environment.stdout.write(`${JSON.stringify(created, null, 2)}\n`)
      return
    }
    environment.stderr.write(
      `created API key ${created.key_id} of user "${created.username}"; it is not shown again:\n`,
    )
    // Standard output has only the key: export WANDB_API_KEY=$(heddle keys create)
    environment.stdout.write(`${created.key}\n`)
  },
}

export const listKeysCommand: Command = {
  usage: '[--user USERNAME] [--json]',
  summary: 'List API keys and browser sessions by id. Keys are stored as hashes and cannot be shown.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, user: { type: 'string' } },
  run: async (args, environment) => {
    args.positionals()
    const keys = await withStorage(args, environment, (deps) => summarizeKeys(deps, args.text('user')))
    printTable(keys, ['key_id', 'username', 'kind', 'name', 'created_at', 'expires_at'], args, environment)
  },
}

export const revokeKeyCommand: Command = {
  usage: '<key_id>',
  summary: 'Revoke an API key, by its id or by the key itself. Servers reject it within 30 s.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [idOrKey = ''] = args.positionals('key_id')
    const key_id = await withStorage(args, environment, (deps) => revokeKey(deps, idOrKey))
    environment.stderr.write(`revoked ${key_id}; servers reject it within 30 s\n`)
  },
}
