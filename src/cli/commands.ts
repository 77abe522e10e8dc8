import { backupCommand } from './backup.ts'
import { listBackupsCommand, pruneBackupsCommand, verifyBackupsCommand } from './backups.ts'
import { cliCommand, withCliCommand } from './cli-command.ts'
import type { Command } from './command.ts'
import { printConfigCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { eraseCommand, listErasuresCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { baselineCommand, gateCommand } from './gate.ts'
import { importHeddleCommand } from './import-heddle.ts'
import { importWeaveCommand } from './import.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { dropPartsCommand, listPartsCommand } from './parts.ts'
import { grantCommand, listMembersCommand, listProjectsCommand, revokeCommand } from './projects.ts'
import { clearQuotaCommand, listQuotasCommand, setQuotaCommand } from './quotas.ts'
import { remapCommand } from './remap.ts'
import { restoreCommand } from './restore.ts'
import {
  clearRetentionCommand,
  previewRetentionCommand,
  runRetentionCommand,
  setRetentionCommand,
  showRetentionCommand,
} from './retention.ts'
import { deleteSecretCommand, listSecretsCommand, rotateSecretsCommand, setSecretCommand } from './secrets.ts'
import { serveCommand } from './serve.ts'
import {
  createUserCommand,
  linkCommand,
  listUsersCommand,
  passwordCommand,
  removeUserCommand,
} from './users.ts'
import { versionCommand } from './version.ts'

/** All commands, by name. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  'users create': createUserCommand,
  'users link': linkCommand,
  'users list': listUsersCommand,
  'users password': passwordCommand,
  'users remove': removeUserCommand,
  'keys create': createKeyCommand,
  'keys list': listKeysCommand,
  'keys revoke': revokeKeyCommand,
  'projects list': listProjectsCommand,
  'projects members': listMembersCommand,
  'projects grant': grantCommand,
  'projects revoke': revokeCommand,
  'quotas list': listQuotasCommand,
  'quotas set': setQuotaCommand,
  'quotas clear': clearQuotaCommand,
  'parts list': listPartsCommand,
  'parts drop': dropPartsCommand,
  'retention show': showRetentionCommand,
  'retention set': setRetentionCommand,
  'retention clear': clearRetentionCommand,
  'retention preview': previewRetentionCommand,
  'retention run': runRetentionCommand,
  'secrets set': setSecretCommand,
  'secrets list': listSecretsCommand,
  'secrets delete': deleteSecretCommand,
  'secrets rotate': rotateSecretsCommand,
  erase: eraseCommand,
  'erasures list': listErasuresCommand,
  demo: demoCommand,
  export: exportCommand,
  gate: gateCommand,
  baseline: baselineCommand,
  'import heddle': importHeddleCommand,
  'import weave': importWeaveCommand,
  remap: remapCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'backups list': listBackupsCommand,
  'backups verify': verifyBackupsCommand,
  'backups prune': pruneBackupsCommand,
  migrate: migrateCommand,
  doctor: doctorCommand,
  'config print': printConfigCommand,
  version: versionCommand,
}

export interface Found {
  readonly name: string
  readonly command: Command
  readonly rest: readonly string[]
}

/** The default command is `serve`. */
export function findCommand(words: readonly string[]): Found | undefined {
  if (words[0] === undefined || words[0].startsWith('-'))
    return { name: 'serve', command: serveCommand, rest: words }
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command !== undefined) return { name, command, rest: words.slice(count) }
  }
  return undefined
}

/** Help for all commands, or for those whose name begins with the given words; undefined if none does. */
export function helpText(words: readonly string[]): string | undefined {
  const found = words.length === 0 ? undefined : findCommand(words)?.name
  const begin = found ?? words.join(' ')
  const named = Object.entries(COMMANDS).filter(
    ([name]) => begin === '' || `${name} `.startsWith(`${begin} `),
  )
  if (named.length === 0) return undefined
  const lines = named.map(([name, command]) => {
    const usage = `${cliCommand()} ${name} ${command.usage}`.trimEnd()
    return `  ${usage}\n      ${withCliCommand(command.summary)}\n`
  })
  return `Heddle: tracing and feedback for LLM applications.\n\n${lines.join('')}
Storage options of all commands: --data DIR (embedded ClickHouse, default .heddle), or --clickhouse-url URL with
HEDDLE_CLICKHOUSE_USER and HEDDLE_CLICKHOUSE_PASSWORD. All settings: docs/configuration.md\n`
}
