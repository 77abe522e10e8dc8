import { basename, relative, sep } from 'node:path'

/** The command that runs this CLI in the current installation; every printed command starts with it. */
export function cliCommand(script = process.argv[1] ?? '', directory = process.cwd()): string {
  if (script.includes(`${sep}node_modules${sep}`)) return 'npx heddle'
  const path = relative(directory, script)
  const shown = path.startsWith('..') ? script : path
  if (basename(script) === 'main.ts') return `npx tsx ${shown}`
  if (basename(script) === 'main.js') return `node ${shown}`
  // A global installation.
  return 'heddle'
}

/** Replaces `heddle` in the commands that a message quotes, such as `heddle keys list`. */
export function withCliCommand(message: string, command = cliCommand()): string {
  return message.replaceAll(/`heddle(?= )/g, `\`${command}`)
}
