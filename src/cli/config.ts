import type { SettingSource } from '../app/setting.ts'
import { type ReadSettings, readSettingSources, SETTINGS } from '../app/settings.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { SERVER_OPTIONS, SERVER_USAGE, serverFlags } from './server-settings.ts'
import { printTable } from './table.ts'
import { describeUnknown, findUnknownVariables } from './unknown-variables.ts'

/** `heddle config print`: the settings that `heddle serve` would use with the same options and environment. */
export const printConfigCommand: Command = {
  usage: `[--redact | --show-secrets] [--json] ${SERVER_USAGE}`,
  summary:
    'Show every setting with its value and source: flag, environment, file or default. Secrets are redacted unless --show-secrets is given.',
  options: {
    ...SERVER_OPTIONS,
    ...JSON_OPTION,
    // The default, for scripts that want to say so.
    redact: { type: 'boolean' },
    'show-secrets': { type: 'boolean' },
  },
  run: async (args, environment) => {
    args.positionals()
    const redacts = args.flag('redact') || !args.flag('show-secrets')
    const rows = settingRows(readSettingSources(environment.env, serverFlags(args)), redacts)
    printTable(rows, ['variable', 'value', 'source'], args, environment)
    for (const unknown of findUnknownVariables(environment.env))
      environment.stderr.write(`heddle: ${describeUnknown(unknown)}\n`)
  },
}

interface SettingRow {
  readonly variable: string
  /** Null: unset. */
  readonly value: string | null
  readonly source: SettingSource
}

function settingRows(sources: ReadSettings, redacts: boolean): SettingRow[] {
  return Object.entries(SETTINGS).map(([key, { variable, isSecret = false }]) => {
    const { value, source } = sources[key as keyof ReadSettings]
    const text = value === undefined || value === '' ? null : String(value)
    return { variable, value: text !== null && redacts ? redacted(text, isSecret) : text, source }
  })
}

const REDACTED = '[redacted]'

/** A URL of ClickHouse may contain a password. */
function redacted(text: string, isSecret: boolean): string {
  if (isSecret) return REDACTED
  return text.replace(/^(https?:\/\/)[^/?#]*@/, `$1${REDACTED}@`)
}
