import { text } from 'node:stream/consumers'
import { newPassword } from '../core/access/credentials.ts'
import { createSignInCode } from '../service/access/sign-in-codes.ts'
import { createUser, readUser, removeUser, setPassword, summarizeUsers } from '../service/access/users.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, type Environment } from './command.ts'
import { signInLink } from './banner.ts'
import { findServerUrl } from './connection.ts'
import { commandSettings, withStorage } from './storage.ts'
import { printTable } from './table.ts'

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
  usage: '<username> [--password-stdin] [--end-keys]',
  summary:
    'Set a new password: generated and printed, or read from standard input. Ends the sessions of the user, and with --end-keys the API keys too.',
  options: { ...STORAGE_OPTIONS, ...PASSWORD_OPTION, 'end-keys': { type: 'boolean' } },
  run: async (args, environment) => {
    const [username = ''] = args.positionals('username')
    const password = await choosePassword(args, environment)
    await withStorage(args, environment, (deps) =>
      setPassword(deps, username, password, { endKeys: args.flag('end-keys') }),
    )
    environment.stderr.write(`changed the password of "${username}"; servers apply it within 30 s\n`)
    printPassword(password, args, environment)
  },
}

export const linkCommand: Command = {
  usage: '<username> [--url URL]',
  summary:
    'Print a link that signs a browser in once, within a day. --url: the address of the server, as the browser reaches it.',
  options: { ...STORAGE_OPTIONS, url: { type: 'string' } },
  run: async (args, environment) => {
    const [username = ''] = args.positionals('username')
    const url = await findServerUrl(commandSettings(args, environment), args.text('url'))
    const code = await withStorage(args, environment, async (deps) => {
      const { user_id, is_disabled } = await readUser(deps, username)
      if (is_disabled)
        throw new Error(`"${username}" is disabled; enable the user in the settings of the server first`)
      return createSignInCode(deps, user_id)
    })
    environment.stdout.write(`${signInLink(url, code)}\n`)
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
