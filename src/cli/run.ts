import { ApiError } from '../contract/api-error.ts'
import { type Command, readArguments, UsageError, type World } from './command.ts'
import { findCommand, helpText } from './commands.ts'

/** Runs one command line; the exit code: 0 done, 1 failed, 2 not understood. Errors are one sentence. */
export async function run(words: readonly string[], world: World): Promise<number> {
  if (words.some((word) => word === '--help' || word === '-h') || words[0] === 'help') {
    world.stdout.write(helpText(words.filter((word) => !word.startsWith('-') && word !== 'help')))
    return 0
  }
  const found = words[0] === '--version' ? findCommand(['version']) : findCommand(words)
  if (found === undefined) {
    world.stderr.write(`heddle: there is no command "${words.slice(0, 2).join(' ')}"; see \`heddle help\`\n`)
    return 2
  }
  return runCommand(found.command, found.name, found.rest, world)
}

async function runCommand(
  command: Command,
  name: string,
  rest: readonly string[],
  world: World,
): Promise<number> {
  try {
    await command.run(readArguments(command, rest), world)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      world.stderr.write(`heddle: ${error.message}; usage: heddle ${name} ${command.usage}\n`)
      return 2
    }
    world.stderr.write(`heddle: ${sentence(error)}\n`)
    if (world.env['HEDDLE_LOG_LEVEL'] === 'debug' && error instanceof Error)
      world.stderr.write(`${error.stack}\n`)
    return 1
  }
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ApiError) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message.split('\n')[0]})` : ''
    return error.message + cause
  }
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`
  return error.message
}
