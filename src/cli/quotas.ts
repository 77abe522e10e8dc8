import { clearQuota, setQuota } from '../service/access/quota-admin.ts'
import { listQuotas } from '../store/access/quotas.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { printTable } from './table.ts'
import { withStorage } from './storage.ts'

/** `heddle quotas`: quotas of single API keys and projects, which override the server's settings. */
export const listQuotasCommand: Command = {
  usage: '[--json]',
  summary: 'List the quotas of single API keys and projects.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const quotas = await withStorage(args, environment, (deps) => listQuotas(deps.db))
    const rows = quotas.map(({ subject, calls_per_second, bytes_per_second }) => ({
      subject,
      calls_per_second: quotaText(calls_per_second),
      bytes_per_second: quotaText(bytes_per_second),
    }))
    printTable(rows, ['subject', 'calls_per_second', 'bytes_per_second'], args, environment)
  },
}

export const setQuotaCommand: Command = {
  usage: '<key_id | entity/project> [--calls-per-second N] [--bytes-per-second N]',
  summary:
    "Set the quota of an API key or a project. 0 = no limit; an omitted option uses the server's setting.",
  options: {
    ...STORAGE_OPTIONS,
    'calls-per-second': { type: 'string' },
    'bytes-per-second': { type: 'string' },
  },
  run: async (args, environment) => {
    const [subject = ''] = args.positionals('key_id | entity/project')
    const calls_per_second = numberOption(args, 'calls-per-second')
    const bytes_per_second = numberOption(args, 'bytes-per-second')
    if (calls_per_second === null && bytes_per_second === null)
      throw new UsageError('set --calls-per-second or --bytes-per-second')
    await withStorage(args, environment, (deps) =>
      setQuota(deps, { subject, calls_per_second, bytes_per_second }),
    )
    environment.stderr.write(`set the quota of ${subject}; servers apply it within 10 s\n`)
  },
}

export const clearQuotaCommand: Command = {
  usage: '<key_id | entity/project>',
  summary: "Remove the quota of an API key or a project; the server's settings apply again.",
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [subject = ''] = args.positionals('key_id | entity/project')
    await withStorage(args, environment, (deps) => clearQuota(deps, subject))
    environment.stderr.write(`removed the quota of ${subject}; servers apply it within 10 s\n`)
  },
}

function numberOption(args: Arguments, name: string): number | null {
  const text = args.text(name)
  if (text === undefined) return null
  // Bytes per second may exceed the 9 digits of `args.integer`.
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

function quotaText(value: number | null): string {
  if (value === null) return 'default'
  return value === 0 ? 'no limit' : String(value)
}
