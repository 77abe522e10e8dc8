import { text } from 'node:stream/consumers'
import { newPassword } from '../core/access/credentials.ts'
import { createUser, removeUser, setPassword, summarizeUsers } from '../service/access/users.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, type Environment } from './command.ts'
import { printTable } from './table.ts'
import { withStorage } from './storage.ts'

/** `heddle users`: manages users. Passwords are never arguments, because every local process can read those. */
const PASSWORD_OPTION = { 'password-stdin': { type: 'boolean' } } as const

export const createUserCommand: Command = {
  usage: '<username> [--admin] [--password-stdin | --no-password] [--adopt]',
  summary:
    'Create a user. A password is generated and printed, unless --password-stdin or --no-password is given.',
  options: {
    ...STORAGE_OPTIONS,
    ...PASSWORD_OPTION,
    admin: { type: 'boolean' },
    'no-password': { type: 'boolean' },
    adopt: { type: 'boolean' },
  },
  run: async (args, environment) => {
    const [username = ''] = args.positionals('username')
    const password = args.flag('no-password') ? undefined : await choosePassword(args, environment)
    await withStorage(args, environment, (deps) =>
      createUser(deps, {
        username,
        password,
        is_server_admin: args.flag('admin'),
        adopt: args.flag('adopt'),
      }),
    )
    environment.stderr.write(`created user "${username}", owner of the entity "${username}"\n`)
    printPassword(password, args, environment)
  },
}

export const listUsersCommand: Command = {
  usage: '[--json]',
  summary: 'List users.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const users = await withStorage(args, environment, summarizeUsers)
    printTable(
      users,
      ['username', 'is_server_admin', 'is_disabled', 'has_password', 'created_at', 'last_sign_in_at'],
      args,
      environment,
    )
  },
}

export const passwordCommand: Command = {
  usage: '<username> [--password-stdin]',
  summary: 'Set a new password: generated and printed, or read from standard input.',
  options: { ...STORAGE_OPTIONS, ...PASSWORD_OPTION },
  run: async (args, environment) => {
    const [username = ''] = args.positionals('username')
    const password = await choosePassword(args, environment)
    await withStorage(args, environment, (deps) => setPassword(deps, username, password))
    environment.stderr.write(`changed the password of "${username}"; servers apply it within 30 s\n`)
    printPassword(password, args, environment)
  },
}

export const removeUserCommand: Command = {
  usage: '<username>',
  summary: 'Delete a user with all API keys and roles. Their recorded data stays.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [username = ''] = args.positionals('username')
    await withStorage(args, environment, (deps) => removeUser(deps, username))
    environment.stderr.write(`deleted user "${username}"; servers apply it within 30 s\n`)
  },
}

async function choosePassword(args: Arguments, environment: Environment): Promise<string> {
  if (!args.flag('password-stdin')) return newPassword()
  return (await text(environment.stdin)).replace(/\r?\n$/, '')
}

/** Standard output has only the password, for scripts. */
function printPassword(password: string | undefined, args: Arguments, environment: Environment): void {
  if (password === undefined || args.flag('password-stdin')) return
  environment.stderr.write('password (not shown again):\n')
  environment.stdout.write(`${password}\n`)
}
