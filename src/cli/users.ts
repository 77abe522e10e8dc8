import { text } from 'node:stream/consumers'
import { newPassword } from '../core/access/credentials.ts'
import { createUser, removeUser, setPassword, summarizeUsers } from '../service/access/users.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, type World } from './command.ts'
import { printRows } from './listing.ts'
import { withStorage } from './storage.ts'

/** `heddle users`. Passwords are never arguments: those can be read by every process of the machine. */
const PASSWORD_OPTION = { 'password-stdin': { type: 'boolean' } } as const

export const createUserCommand: Command = {
  usage: '<username> [--admin] [--password-stdin | --no-password] [--adopt]',
  summary:
    'Make a user. A password is made up and printed, unless it is read from standard input or not wanted.',
  options: {
    ...STORAGE_OPTIONS,
    ...PASSWORD_OPTION,
    admin: { type: 'boolean' },
    'no-password': { type: 'boolean' },
    adopt: { type: 'boolean' },
  },
  run: async (args, world) => {
    const [username = ''] = args.words('username')
    const password = args.flag('no-password') ? undefined : await choosePassword(args, world)
    await withStorage(args, world, (deps) =>
      createUser(deps, {
        username,
        password,
        is_server_admin: args.flag('admin'),
        adopt: args.flag('adopt'),
      }),
    )
    world.stderr.write(`made the user "${username}", who owns the entity "${username}"\n`)
    printPassword(password, args, world)
  },
}

export const listUsersCommand: Command = {
  usage: '[--json]',
  summary: 'List the users.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, world) => {
    args.words()
    const users = await withStorage(args, world, summarizeUsers)
    printRows(users, ['username', 'is_server_admin', 'has_password', 'created_at'], args, world)
  },
}

export const passwordCommand: Command = {
  usage: '<username> [--password-stdin]',
  summary: 'Give a user a new password: made up and printed, or read from standard input.',
  options: { ...STORAGE_OPTIONS, ...PASSWORD_OPTION },
  run: async (args, world) => {
    const [username = ''] = args.words('username')
    const password = await choosePassword(args, world)
    await withStorage(args, world, (deps) => setPassword(deps, username, password))
    world.stderr.write(`"${username}" has a new password; servers know it within 30 s\n`)
    printPassword(password, args, world)
  },
}

export const removeUserCommand: Command = {
  usage: '<username>',
  summary: 'Remove a user, with all keys and roles. What they recorded stays.',
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    const [username = ''] = args.words('username')
    await withStorage(args, world, (deps) => removeUser(deps, username))
    world.stderr.write(`removed the user "${username}"; servers know it within 30 s\n`)
  },
}

async function choosePassword(args: Arguments, world: World): Promise<string> {
  if (!args.flag('password-stdin')) return newPassword()
  return (await text(world.stdin)).replace(/\r?\n$/, '')
}

/** Alone on standard output, so that a script can take it. */
function printPassword(password: string | undefined, args: Arguments, world: World): void {
  if (password === undefined || args.flag('password-stdin')) return
  world.stderr.write('the password, which is not shown again:\n')
  world.stdout.write(`${password}\n`)
}
