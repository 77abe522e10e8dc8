import { ApiError } from '../contract/api-error.ts'
import { cliCommand, withCliCommand } from './cli-command.ts'
import { type Command, readArguments, UsageError, type Environment } from './command.ts'
import { findCommand, helpText } from './commands.ts'

/**
 * Runs one command line and returns the exit code: 0 success, 1 failure, 2 usage error, others as the command says.
 * Errors are one line.
 */
export async function run(words: readonly string[], environment: Environment): Promise<number> {
  if (words.some((word) => word === '--help' || word === '-h') || words[0] === 'help') {
    const named = words.filter((word) => word !== 'help')
    const end = named.findIndex((word) => word.startsWith('-'))
    const topic = end === -1 ? named : named.slice(0, end)
    const text = helpText(topic)
    if (text === undefined) return reportUnknown(topic, environment)
    environment.stdout.write(text)
    return 0
  }
  const found = words[0] === '--version' ? findCommand(['version']) : findCommand(words)
  if (found === undefined) return reportUnknown(words, environment)
  return runCommand(found.command, found.name, found.rest, environment)
}

function reportUnknown(words: readonly string[], environment: Environment): number {
  environment.stderr.write(
    `heddle: unknown command "${words.slice(0, 2).join(' ')}"; see \`${cliCommand()} help\`\n`,
  )
  return 2
}

async function runCommand(
  command: Command,
  name: string,
  rest: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
    return (await command.run(readArguments(command, rest), environment)) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      environment.stderr.write(`heddle: ${error.message}; usage: ${cliCommand()} ${name} ${command.usage}\n`)
      return 2
    }
    environment.stderr.write(`heddle: ${withCliCommand(errorMessage(error))}\n`)
    if (environment.env['HEDDLE_LOG_LEVEL'] === 'debug' && error instanceof Error)
      environment.stderr.write(`${error.stack}\n`)
    return 1
  }
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ApiError) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message.split('\n')[0]})` : ''
    return error.message + cause
  }
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`
  return error.message
}
